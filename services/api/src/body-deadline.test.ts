import { connect } from "node:net";
import { fastify as createFastify } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitBodies } from "./body-deadline.ts";

const uploads = ["/photos", "/trpc/files/import"];
const app = createFastify();
let port = 0;
beforeAll(async () => {
  limitBodies(app, 50);
  for (const path of ["/cards", ...uploads]) app.post(path, () => "ok");
  port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(() => app.close());

/** Sends a body's first half; its second once the connection has ended, or when the test says so. */
function begin(path: string) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n12`,
  );
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (bytes) => (text += bytes.toString()));
    socket.on("close", () => resolve(text));
  });
  return { socket, answer };
}

test("a body that does not come ends its request, an upload may take longer", async () => {
  const begun = [...uploads, "/photos?import=pim_1"].map(begin);
  const slow = begin("/cards?next=/photos");
  // The connection is cut: whoever waits sees its end.
  expect(await slow.answer).toBe("");
  for (const { socket, answer } of begun) {
    socket.write("34");
    expect(await answer).toContain("200 OK");
  }
});
