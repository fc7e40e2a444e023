import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { comparableName, comparableNumber, inventedCatalogue } from "@cardvault/catalogue";
import type { CatalogueEntry } from "@cardvault/catalogue";
import { drawCard } from "@cardvault/demo";
import type { CatalogueRow } from "@cardvault/db";
import sharp from "sharp";
import * as z from "zod";

/** A flattened TCGdex list: a JSON array, gzipped. */
const listSchema = z.array(
  z.object({
    set: z.string(),
    setName: z.string().nullish(),
    n: z.string(),
    name: z.string().nullish(),
    rarity: z.string().nullish(),
    tot: z.int().nullish(),
    rel: z.string().nullish(),
  }),
);

/** The cards that are known: the list that ships, or the one that `CARD_LIST` names. */
export async function knownCards(file: string | undefined): Promise<CatalogueEntry[]> {
  if (file === undefined) return inventedCatalogue();
  const list = listSchema.parse(JSON.parse(gunzipSync(await readFile(file)).toString("utf8")));
  return list.flatMap(({ set, setName, n, name, rarity, tot, rel }) => {
    // Some have no English name.
    if (name == null || setName == null) return [];
    const card = {
      game: "Listed",
      set: setName,
      setCode: set,
      number: n,
      setTotal: tot ?? null,
      name,
      rarity: rarity ?? null,
      year: rel == null ? null : Number(rel.slice(0, 4)),
      externalIds: {},
      imageUrl: null,
    };
    return [{ sourceId: `${set}-${n}`, card }];
  });
}

export function rowOf({ sourceId, card }: CatalogueEntry): CatalogueRow {
  const [comparedName, comparedSet] = [comparableName(card.name), comparableName(card.set)];
  const words = [comparedName, comparedSet, card.setCode?.toLowerCase() ?? ""].join(" ").trim();
  return {
    sourceId,
    ...card,
    comparedName,
    comparedNumber: comparableNumber(card.number),
    comparedSet,
    words,
  };
}

/** How a photo of a card is worse than a scan. */
export const conditions = [
  "scan",
  "turned",
  "blurred",
  "glare",
  "poor_jpeg",
  "dim_and_noisy",
] as const;
export type Condition = (typeof conditions)[number];

/** A card of the list as somebody photographs it. */
export async function photographOf(
  { card }: CatalogueEntry,
  seed: number,
  how: Condition,
): Promise<Buffer> {
  const total = card.setTotal === null ? "" : `/${card.setTotal}`;
  const drawn = await drawCard({
    title: card.name,
    setName: card.set,
    number: `${card.number}${total}`,
    kind: seed % 5 === 0 ? "players" : "creatures",
    hues: [(seed * 47) % 360, (seed * 91 + 130) % 360],
    foil: seed % 4 === 0,
    seed,
  });
  let picture = sharp(drawn)
    .rotate(how === "turned" ? 180 : 0)
    .resize(1_000);
  if (how === "glare")
    picture = picture.composite([{ input: Buffer.from(glare), top: 420, left: 250 }]);
  const laid = await picture.toBuffer();
  let seen = sharp(laid).extend({
    top: 80,
    bottom: 70,
    left: 90,
    right: 60,
    background: "#43403b",
  });
  if (how === "blurred") seen = sharp(await seen.toBuffer()).blur(1.6);
  if (how === "dim_and_noisy") {
    const size = await sharp(await seen.toBuffer()).metadata();
    const { width, height } = size;
    const noise = { type: "gaussian", mean: 128, sigma: 22 } as const;
    const grain = await sharp({
      create: { width, height, channels: 3, background: "#808080", noise },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    seen = sharp(await seen.toBuffer())
      .modulate({ brightness: 0.6 })
      .composite([{ input: grain, blend: "soft-light" }]);
  }
  return seen.jpeg({ quality: how === "poor_jpeg" ? 35 : 82 }).toBuffer();
}

const glare = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><defs><radialGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity=".8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><circle cx="300" cy="300" r="300" fill="url(#g)"/></svg>`;
