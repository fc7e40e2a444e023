import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { VaultError } from "@cardvault/contract";
import { allowLoopback, createGuardedClient } from "@cardvault/kit";
import { createPictureProcessor, maxPictureBytes } from "@cardvault/photos";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchPhoto } from "./fetch-photo.ts";
import { pictureBytes, sha256 } from "./test-pictures.ts";

const client = createGuardedClient({ allowAddress: allowLoopback });
const strict = createGuardedClient();
const pictures = createPictureProcessor({ threads: 1 });
let server: Server;
let origin = "";
let asked = 0;
beforeAll(async () => {
  const picture = await pictureBytes(1);
  server = createServer((request, response) => {
    asked += 1;
    switch (request.url) {
      case "/card.jpg":
        return response.writeHead(200, { "content-type": "text/html" }).end(picture);
      case "/page":
        return response.writeHead(200, { "content-type": "image/jpeg" }).end("<html>".padEnd(500));
      case "/moved":
        return response.writeHead(302, { location: "/card.jpg" }).end();
      case "/cut":
        return response.writeHead(200).end(picture.subarray(0, 2_000));
      case "/large":
        return response.writeHead(200).end(Buffer.alloc(maxPictureBytes + 5_000_000, 0xff));
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all([client.close(), strict.close(), pictures.close()]);
  server.closeAllConnections();
  server.close();
});

test("a photo is fetched and checked by its bytes, whatever the answer says of it", async () => {
  const photo = await fetchPhoto({ client, pictures }, `${origin}/card.jpg`);
  expect(photo.processed).toMatchObject({ format: "jpeg", width: 300, height: 420 });
  expect(sha256(photo.bytes).equals(photo.contentHash)).toBe(true);
});

test.each(["/page", "/moved", "/cut", "/large", "/none"])(
  "%s is photo_unavailable",
  async (path) => {
    const error = await fetchPhoto({ client, pictures }, `${origin}${path}`).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(VaultError);
    expect(error).toMatchObject({ code: "photo_unavailable" });
  },
);

test("an address inside is not asked, and the answer does not say why", async () => {
  const before = asked;
  const messages = new Set<string>();
  for (const url of [
    `${origin}/card.jpg`,
    "https://127.0.0.1/x",
    "https://169.254.169.254/",
    "file:///etc/passwd",
  ]) {
    const error = await fetchPhoto({ client: strict, pictures }, url).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "photo_unavailable" });
    messages.add((error as Error).message);
  }
  expect(messages.size).toBe(1);
  expect(asked).toBe(before);
});
