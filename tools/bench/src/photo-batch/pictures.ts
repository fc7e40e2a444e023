import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inventedCatalogue } from "@cardvault/catalogue";
import { drawSamplePhoto } from "@cardvault/simulators";
import type { SampleOutcome } from "@cardvault/simulators";
import sharp from "sharp";
import { conditions, photographOf } from "../recogniser/cards.ts";

/** Who identifies the cards of a batch. */
export type Who = "local" | "sandbox";

/** A photo as a file, and what it shows. */
export interface BatchPhoto {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly number: string;
  /** What the simulators make of it; undefined where it is only to be read. */
  readonly outcome: SampleOutcome | undefined;
}

/** As wide as a telephone's photo of twelve megapixels. */
const width = 3_000;
const cardsApart = 8;
/** Those that need no waiting for a provider that is away. */
const outcomes: readonly SampleOutcome[] = [
  "applied",
  "generative_only",
  "graded",
  "low_confidence",
  "ambiguous",
  "both_failed",
];

/**
 * Writes photos of different cards of the invented catalogue, of some twelve megapixels each: photographed
 * badly in turn where this machine has to read them, marked for the simulators where those are asked.
 */
export async function writePhotos(
  folder: string,
  count: number,
  who: Who,
): Promise<readonly BatchPhoto[]> {
  await mkdir(folder, { recursive: true });
  const catalogue = [...inventedCatalogue()];
  const photos: BatchPhoto[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = catalogue[(index * cardsApart) % catalogue.length];
    const how = conditions[index % conditions.length];
    if (entry === undefined || how === undefined) break;
    const outcome = who === "local" ? undefined : outcomes[index % outcomes.length];
    const drawn =
      outcome === undefined
        ? await photographOf(entry, index + 1, how)
        : await drawSamplePhoto(entry.sourceId, outcome);
    const name = `${String(index).padStart(4, "0")}.jpg`;
    const path = join(folder, name);
    await writeFile(path, await sharp(drawn).resize({ width }).jpeg({ quality: 85 }).toBuffer());
    photos.push({ path, name, title: entry.card.name, number: entry.card.number, outcome });
  }
  return photos;
}
