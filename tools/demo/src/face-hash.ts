import { createHash } from "node:crypto";
import type { DemoCard } from "./inventory.ts";

/** What a picture's row remembers of its content: the drawing follows from it, see `draw-pictures.ts`. */
export function faceHash(card: DemoCard): Buffer {
  const { title, foil, seed } = card.face;
  return createHash("sha256")
    .update(JSON.stringify([title, foil, seed, card.set.code, card.number]))
    .digest();
}
