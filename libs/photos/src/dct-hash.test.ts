import sharp from "sharp";
import type { Sharp } from "sharp";
import { expect, test } from "vitest";
import { dctHash, hashBits, hashDistance, hashedSide, turnedGrey } from "./dct-hash.ts";

/** A drawn card whose shapes follow from a number. */
function drawn(seed: number): Sharp {
  const at = (n: number, most: number): number => (seed * 7919 + n * 104_729) % most;
  const shapes = Array.from({ length: 9 }, (_, n) => {
    const [x, y, r] = [at(n, 560), at(n + 31, 800), 30 + at(n + 17, 120)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${at(n + 5, 360)} 60% ${20 + at(n + 3, 60)}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="840"><rect width="600" height="840" fill="#ddd"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg));
}

async function greyOf(picture: Sharp): Promise<Uint8Array> {
  const upright = await picture.png().toBuffer();
  return sharp(upright)
    .greyscale()
    .resize(hashedSide, hashedSide, { fit: "fill" })
    .raw()
    .toBuffer();
}

const hashOf = async (picture: Sharp): Promise<Uint8Array> => dctHash(await greyOf(picture));

test("half of the bits are set, whatever the picture", async () => {
  const hash = await hashOf(drawn(3));
  expect(hashDistance(hash, new Uint8Array(hashBits / 8))).toBe(hashBits / 2);
});

test("smaller, darker, blurred and compressed, it stays the same picture", async () => {
  const hash = await hashOf(drawn(3));
  const others = [
    drawn(3).resize(210),
    drawn(3).modulate({ brightness: 0.7 }),
    drawn(3).blur(4),
    sharp(await drawn(3).jpeg({ quality: 25 }).toBuffer()),
  ];
  for (const other of others) expect(hashDistance(hash, await hashOf(other))).toBeLessThan(20);
});

test("another picture is far away", async () => {
  const [hash, ...others] = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => hashOf(drawn(n))));
  for (const other of others) {
    expect(hashDistance(hash ?? new Uint8Array(), other)).toBeGreaterThan(60);
  }
});

test("upside down is another picture, and turned it is the same", async () => {
  const grey = await greyOf(drawn(4));
  const turned = await greyOf(drawn(4).rotate(180));
  expect(hashDistance(dctHash(grey), dctHash(turned))).toBeGreaterThan(60);
  expect(hashDistance(dctHash(grey), dctHash(turnedGrey(turned)))).toBeLessThan(4);
});
