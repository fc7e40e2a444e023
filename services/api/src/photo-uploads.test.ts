import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import type { UploadAnswer } from "@cardvault/contract";
import { accountHeader } from "@cardvault/contract";
import { uploadsFolderOf } from "@cardvault/core";
import { waitFor } from "@cardvault/testkit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let anna: Dealer;
let ben: Dealer;
let cookie: string;
let address: URL;
beforeAll(async () => {
  house = await openHouse();
  anna = await house.dealer("Anna");
  ben = await house.dealer("Ben");
  cookie = await house.cookie(anna);
  address = new URL(await house.app.listen({ host: "127.0.0.1", port: 0 }));
});
afterAll(() => house.close());

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 420, channels: 3, background } })
    .jpeg()
    .toBuffer();

async function send(
  files: readonly { name: string; bytes: Uint8Array }[],
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const form = new FormData();
  for (const { name, bytes } of files) {
    form.append("file", new Blob([new Uint8Array(bytes)], { type: "text/html" }), name);
  }
  const response = await fetch(new URL(`/photos${query}`, address), {
    method: "POST",
    headers: { cookie, origin: publicUrl, [accountHeader]: anna.account.id, ...headers },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as UploadAnswer & { error?: { code: string } },
  };
}

const unfinished = (): Promise<string[]> => readdir(uploadsFolderOf(house.services.config));

describe("POST /photos", () => {
  test("keeps several files of a form, and answers each for itself", async () => {
    const { status, body } = await send([
      { name: "front.jpg", bytes: await picture("#c02020") },
      { name: "evil.jpg", bytes: Buffer.from("<script>alert(1)</script>".padEnd(400)) },
      { name: "../../etc/passwd", bytes: await picture("#20c020") },
      { name: "empty.png", bytes: Buffer.alloc(0) },
      { name: "large.jpg", bytes: Buffer.alloc(20_000_001, 0xff) },
    ]);
    expect(status).toBe(200);
    expect(body.files.map(({ photo, error }) => error?.code ?? photo?.width)).toEqual([
      300,
      "unsupported_media_type",
      300,
      "unsupported_media_type",
      "body_too_large",
    ]);
    const shown = await fetch((body.files[0]?.photo?.url ?? "").replace(publicUrl, address.origin));
    expect(shown.headers.get("content-type")).toBe("image/webp");
    expect(await unfinished()).toEqual([]);
  });

  test("what was uploaded is given to a card", async () => {
    const { body } = await send([{ name: "front.jpg", bytes: await picture("#2020c0") }]);
    const photo_id = body.files[0]?.photo?.id ?? "";
    const card = await anna.asOwner.photos.attach({
      card_id: anna.cards[0].id,
      photos: [{ photo_id, side: "front" }],
    });
    expect(card.photos[0]?.id).toBe(photo_id);
    const original = (card.photos[0]?.url ?? "").replace("full.webp", "original.jpeg");
    expect((await fetch(original.replace(publicUrl, address.origin))).status).toBe(404);
  });

  test("files of an import go there; one of another account is not found", async () => {
    const own = await anna.asOwner.photoImports.create({ batch_id: anna.batch.id });
    const foreign = await ben.asOwner.photoImports.create({ batch_id: ben.batch.id });
    const files = [{ name: "1a.jpg", bytes: await picture("#808020") }];
    expect((await send(files, { query: `?import=${own.id}` })).status).toBe(200);
    expect((await anna.asOwner.photoImports.get({ id: own.id })).uploaded_count).toBe(1);
    for (const id of [foreign.id, "pim_01kjn2z6g0fgz9pqafd9r83gq3", "nonsense"]) {
      const { status, body } = await send(files, { query: `?import=${id}` });
      expect([status, body.error?.code]).toEqual([404, "not_found"]);
    }
    expect((await ben.asOwner.photoImports.get({ id: foreign.id })).file_count).toBe(0);
  });

  test.each([
    ["another origin", { origin: "https://evil.example" }, 403],
    ["no session", { cookie: "" }, 401],
    ["a token", { cookie: "", authorization: "Bearer x" }, 401],
    ["no account", { [accountHeader]: "" }, 404],
  ])("is refused for %s, and nothing is kept", async (_, headers, wanted) => {
    const before = await house.dump(anna);
    const { status } = await send([{ name: "a.jpg", bytes: await picture("#123456") }], {
      headers,
    });
    expect(status).toBe(wanted);
    expect(await house.dump(anna)).toEqual(before);
  });

  test("another account's member cannot upload into it", async () => {
    const { status } = await send([{ name: "a.jpg", bytes: await picture("#654321") }], {
      headers: { [accountHeader]: ben.account.id },
    });
    expect(status).toBe(404);
  });

  test("415 for what is no form, 400 for a form without files, with fields, or with too many", async () => {
    const headers = { cookie, origin: publicUrl, [accountHeader]: anna.account.id };
    const plain = await house.app.inject({ method: "POST", url: "/photos", headers, payload: {} });
    expect(plain.statusCode).toBe(415);
    const form = new FormData();
    form.append("name", "value");
    const url = new URL("/photos", address);
    expect((await fetch(url, { method: "POST", headers, body: form })).status).toBe(400);
    expect((await send([])).status).toBe(400);
    const many = Array.from({ length: 21 }, () => ({ name: "a.jpg", bytes: Buffer.from("x") }));
    expect((await send(many)).status).toBe(400);
  });

  test("a client that goes away in the middle leaves nothing behind", async () => {
    const before = await house.dump(anna);
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      `POST /photos HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nOrigin: ${publicUrl}\r\n` +
        `${accountHeader}: ${anna.account.id}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
        `Content-Length: 900000\r\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a.jpg"\r\n\r\n`,
    );
    socket.write((await picture("#fedcba")).subarray(0, 500));
    await waitFor(async () => ((await unfinished()).length === 1 ? true : undefined));
    socket.destroy();
    await waitFor(async () => ((await unfinished()).length === 0 ? true : undefined));
    expect(await house.dump(anna)).toEqual(before);
  });
});
