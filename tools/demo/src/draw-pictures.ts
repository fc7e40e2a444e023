import { createDiskPhotoStore } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { toId } from "@cardvault/kit";
import sharp from "sharp";
import { drawCard } from "./draw.ts";
import { faceHash } from "./face-hash.ts";
import { demoInventory } from "./inventory.ts";
import type { DemoCard } from "./inventory.ts";

export interface DrawPicturesOptions {
  readonly databaseUrl: string;
  readonly photoFolder: string;
  /** Ends the drawing between two pictures; the next start goes on. */
  readonly signal?: AbortSignal | undefined;
}

const thumbnailWidth = 240;

/**
 * Draws the demonstration's pictures that are not there yet, newest cards first, one after another:
 * beside a service that is already answering.
 * @returns how many were drawn
 */
export async function drawDemoPictures(options: DrawPicturesOptions): Promise<number> {
  const cards = new Map<string, DemoCard>();
  for (const batch of demoInventory()) {
    for (const card of batch.cards) cards.set(faceHash(card).toString("hex"), card);
  }
  const store = createDiskPhotoStore(options.photoFolder);
  const db = await openDatabase({ url: options.databaseUrl, poolSize: 1 });
  // The front and the listing photo of a card are one picture.
  const pictures = new Map<string, Buffer>();
  let drawn = 0;
  try {
    const photos = await db.query<{ id: string; content_hash: Buffer }>(
      "select id, content_hash from photo order by created_at desc, id",
    );
    for (const photo of photos) {
      if (options.signal?.aborted === true) break;
      const id = toId("img", photo.id);
      const hash = photo.content_hash.toString("hex");
      const card = cards.get(hash);
      if (card === undefined || (await store.get(id, "thumbnail")) !== null) continue;
      const full = pictures.get(hash) ?? (await draw(card));
      pictures.set(hash, full);
      await store.put(id, "full", full);
      // The thumbnail is written last: where it is, the picture is whole.
      const thumbnail = await sharp(full)
        .resize(thumbnailWidth)
        .webp({ quality: 80, effort: 1 })
        .toBuffer();
      await store.put(id, "thumbnail", thumbnail);
      drawn += 1;
    }
  } finally {
    await db.close();
  }
  return drawn;
}

function draw({ face, set, number }: DemoCard): Promise<Buffer> {
  const { title, foil, seed } = face;
  const { name, kind, hues } = set;
  return drawCard({ title, setName: name, number, kind, hues, foil, seed });
}
