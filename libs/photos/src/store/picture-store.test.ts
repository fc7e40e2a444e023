import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@cardvault/testkit";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPictureStore } from "./picture-store.ts";
import type { PictureStore } from "./picture-store.ts";

const key = "acc_1/0f0f/full.webp";

describe.each(["disk", "s3"] as const)("a store on %s", (kind) => {
  let folder: string;
  let server: S3rver | undefined;
  let store: PictureStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cardvault-store-"));
    if (kind === "disk") {
      store = await createPictureStore({ kind, folder });
      return;
    }
    const port = await freePort();
    const bucket = "pictures";
    server = new S3rver({
      port,
      address: "127.0.0.1",
      silent: true,
      directory: folder,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    await server.run();
    store = await createPictureStore({
      kind,
      bucket,
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
    });
  });
  afterAll(async () => {
    store.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("gives back what was put, and the latest of it", async () => {
    await store.put(key, Buffer.from("a picture"));
    await store.put(key, Buffer.from("a better one"));
    expect((await store.get(key))?.toString()).toBe("a better one");
  });

  test("nothing is there under another key, and deleting it is no error", async () => {
    expect(await store.get("acc_1/0f0f/medium.webp")).toBeNull();
    await store.delete("acc_1/0f0f/medium.webp");
  });

  test("what was deleted is gone", async () => {
    await store.put("acc_1/aaaa/full.webp", Buffer.from("x"));
    await store.delete("acc_1/aaaa/full.webp");
    expect(await store.get("acc_1/aaaa/full.webp")).toBeNull();
  });

  test("a folder goes with everything in it, and nothing beside it", async () => {
    const sizes = ["full", "medium", "thumbnail"];
    const keys = sizes.map((size) => `acc_2/bbbb/${size}.webp`);
    for (const one of keys) await store.put(one, Buffer.from("x"));
    await store.put("acc_22/bbbb/full.webp", Buffer.from("another's"));
    await store.deleteFolder("acc_2");
    await store.deleteFolder("acc_2");
    for (const one of keys) expect(await store.get(one)).toBeNull();
    expect((await store.get("acc_22/bbbb/full.webp"))?.toString()).toBe("another's");
    for (const wrong of ["", "/", "..", "acc_2/bbbb", "acc_22/.."]) {
      await expect(store.deleteFolder(wrong)).rejects.toThrow(TypeError);
    }
  });

  test.each(["../up.webp", "/etc/passwd", "a/../../b.webp", "a\\b.webp", "A/b.webp", "a/b", ""])(
    "%j is no key",
    async (wrong) => {
      await expect(store.get(wrong)).rejects.toThrow(TypeError);
      await expect(store.put(wrong, Buffer.from("x"))).rejects.toThrow(TypeError);
      await expect(store.delete(wrong)).rejects.toThrow(TypeError);
    },
  );

  // On S3 that is the server's promise, which the one of the tests does not keep.
  test.runIf(kind === "disk")("a reader beside many writers never sees half a file", async () => {
    const contents = Array.from({ length: 8 }, (_, n) => Buffer.alloc(300_000, n));
    await store.put(key, contents[0] ?? Buffer.alloc(0));
    const writing = { isDone: false };
    const seen: boolean[] = [];
    const reading = (async () => {
      while (!writing.isDone) {
        const bytes = await store.get(key);
        seen.push(bytes?.length === 300_000 && bytes.every((byte) => byte === bytes[0]));
      }
    })();
    for (const bytes of contents) await store.put(key, bytes);
    writing.isDone = true;
    await reading;
    expect(seen.every(Boolean)).toBe(true);
  });

  test.runIf(kind === "disk")("nothing unfinished is left beside what was written", async () => {
    expect(await readdir(join(folder, "unfinished"))).toEqual([]);
  });
});
