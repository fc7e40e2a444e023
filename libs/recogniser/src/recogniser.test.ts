import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashDistance } from "@cardvault/photos";
import sharp from "sharp";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";
import { afterAll, describe, expect, test } from "vitest";
import { createRecogniser, RecogniserBusyError } from "./recogniser.ts";
import { drawTestCard, photographed } from "./test-cards.ts";

const recogniser = createRecogniser({ threads: 1, maxWaiting: 4 });
afterAll(() => recogniser.close());

const serpent = { name: "Charged Serpent", number: "012/142", seed: 7 };

const closest = (left: readonly Uint8Array[], right: readonly Uint8Array[]): number =>
  Math.min(...left.flatMap((one) => right.map((other) => hashDistance(one, other))));

describe("a photo of a card", () => {
  test.each([
    ["as it is", {}],
    ["upside down", { turned: true }],
    ["a little blurred", { blur: 1.2 }],
    ["with glare", { glare: true }],
    ["as a poor JPEG", { quality: 40 }],
  ])("%s: its number and its name are read", async (_, how) => {
    const reading = await recogniser.read(await photographed(await drawTestCard(serpent), how));
    expect(reading.numbers.map(({ printed }) => printed)).toContain("012/142");
    expect(reading.nameLines.some((line) => line.includes("Charged Serpent"))).toBe(true);
  });

  test.each([
    ["upside down", { turned: true }],
    ["blurred", { blur: 4 }],
    ["with glare", { glare: true }],
    ["small", { width: 320 }],
  ])("%s: it looks like the card, and another card does not", async (_, how) => {
    const card = await drawTestCard(serpent);
    const known = await recogniser.hash(await photographed(card));
    const seen = await recogniser.hash(await photographed(card, how));
    const other = await recogniser.hash(
      await photographed(await drawTestCard({ ...serpent, seed: 8 })),
    );
    expect(closest([known[0]], seen)).toBeLessThanOrEqual(40);
    expect(closest([known[0]], other)).toBeGreaterThan(40);
  });

  test("what is too small to be read says nothing rather than guess", async () => {
    const small = await photographed(await drawTestCard(serpent), { width: 160 });
    const { numbers, cardWidth } = await recogniser.read(small);
    expect(cardWidth).toBeLessThan(200);
    for (const { printed } of numbers) expect(printed).toBe("012/142");
  });

  test("a code of a slab names its certificate", async () => {
    const binary = await readFile(
      fileURLToPath(import.meta.resolve("zxing-wasm/writer/zxing_writer.wasm")),
    );
    await prepareZXingModule({
      overrides: { wasmBinary: new Uint8Array(binary).buffer },
      fireImmediately: true,
    });
    const written = await writeBarcode("https://www.psacard.com/cert/12345678", {
      format: "QRCode",
      scale: 4,
    });
    const code = Buffer.from(await (written.image as Blob).arrayBuffer());
    const card = await sharp(await drawTestCard(serpent))
      .extend({ top: 300, background: "#ffffff" })
      .composite([{ input: code, left: 640, top: 40 }])
      .jpeg()
      .toBuffer();
    const { certificate } = await recogniser.read(card);
    expect(certificate).toEqual({ grader: "PSA", certNumber: "12345678" });
  });
});

test("what is no card has nothing to say", async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const bytes = await sharp({
    create: { width: 600, height: 600, channels: 3, background: "#888", noise },
  })
    .jpeg()
    .toBuffer();
  expect(await recogniser.read(bytes)).toMatchObject({ numbers: [], certificate: null, codes: [] });
});

test("what cannot be decoded fails, and the thread goes on", async () => {
  await expect(recogniser.read(Buffer.from("no picture"))).rejects.toThrow(
    /unsupported image format/,
  );
  expect((await recogniser.read(await drawTestCard(serpent))).numbers.length).toBeGreaterThan(0);
});

test("more than may wait are refused at once", async () => {
  const bytes = await drawTestCard(serpent);
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => recogniser.hash(bytes)));
  const refused = all.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused)
    expect(one).toMatchObject({ reason: expect.any(RecogniserBusyError) as object });
});

test("nothing is fetched: neither the letters' data nor the barcode reader come from elsewhere", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [
    "--import",
    new URL("offline.fixture.ts", import.meta.url).href,
    fileURLToPath(new URL("read-offline.fixture.ts", import.meta.url)),
  ]);
  expect(stdout).toBe("012/142");
});
