import { inventedId } from "@cardvault/catalogue";
import { createPictureProcessor, keepPicture, openPictures } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { systemClock, toId } from "@cardvault/kit";
import { markerSvg } from "@cardvault/simulators";
import type { SampleOutcome } from "@cardvault/simulators";
import { cardHeight, cardWidth, drawCard } from "./draw.ts";
import { faceHash } from "./face-hash.ts";
import { demoInventory } from "./inventory.ts";
import type { DemoCard } from "./inventory.ts";

export interface DrawPicturesOptions {
  readonly databaseUrl: string;
  readonly photoFolder: string;
  /** Ends the drawing between two pictures; the next start goes on. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Draws the demonstration's pictures that are not there yet, newest cards first, one after another:
 * beside a service that is already answering. They are kept as an upload is, under the hash that the
 * photos of the demonstration have.
 * @returns how many were drawn
 */
export async function drawDemoPictures(options: DrawPicturesOptions): Promise<number> {
  const cards = new Map<string, DemoCard>();
  for (const batch of demoInventory()) {
    for (const card of batch.cards) cards.set(faceHash(card).toString("hex"), card);
  }
  const { pictureStore } = await openPictures(options);
  const pictures = createPictureProcessor({ threads: 1 });
  const db = await openDatabase({ url: options.databaseUrl, poolSize: 2 });
  let drawn = 0;
  try {
    // The front and the listing photo of a card are one picture.
    const photos = await db.query<{ account_id: string; content_hash: Buffer }>(
      `select p.account_id, p.content_hash from photo p
       where not exists (select 1 from picture k where k.account_id = p.account_id
         and k.content_hash = p.content_hash and k.state = 'stored')
       group by 1, 2 order by max(p.created_at) desc, 2`,
    );
    for (const { account_id, content_hash: contentHash } of photos) {
      if (options.signal?.aborted === true) break;
      const card = cards.get(contentHash.toString("hex"));
      if (card === undefined) continue;
      const bytes = await drawDemoCard(card);
      const file = { bytes, contentHash, byteSize: bytes.length };
      const needs = { db, clock: systemClock, pictures, pictureStore };
      await keepPicture(needs, toId("acc", account_id), file, () => Promise.resolve());
      drawn += 1;
    }
  } finally {
    await pictures.close();
    pictureStore.close();
    await db.close();
  }
  return drawn;
}

/** A card's front as WebP, with the strip by which the sandbox knows it. */
export function drawDemoCard({ face, set, number }: DemoCard): Promise<Buffer> {
  const { title, foil, seed } = face;
  const { name, kind, hues } = set;
  const cardId = inventedId(set, Number.parseInt(number, 10));
  const strip = markerSvg(cardId, outcomeOf(seed), { width: cardWidth, height: cardHeight });
  return drawCard({ title, setName: name, number, kind, hues, foil, seed, strip });
}

/** What the sandbox makes of the picture: nearly every card is known, as in a shop. */
function outcomeOf(seed: number): SampleOutcome {
  const unusual: Readonly<Record<number, SampleOutcome>> = {
    0: "low_confidence",
    1: "generative_only",
    2: "ambiguous",
    3: "both_failed",
  };
  return unusual[seed % 24] ?? "applied";
}
