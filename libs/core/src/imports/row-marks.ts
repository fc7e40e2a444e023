import { createHash } from "node:crypto";
import type { ImportMatch, ImportSettings } from "@cardvault/contract";
import type { CardIdentity, CardMarks, CardMatch } from "@cardvault/db";
import type { MappedCard } from "@cardvault/exchange";

/**
 * Ids that name a printing and not a copy: many cards of a dealer have the same one. They say nothing
 * about whether a row is a card that there is.
 */
const idsOfPrintings = ["scryfall", "manabox", "tcgplayer_product"];

/** By what a row is recognised in the inventory. A SKU always is: no two cards can have one. */
export function marksOf(card: MappedCard, { match }: ImportSettings): CardMarks {
  const grading = card.grading ?? null;
  const certNumber = grading?.cert_number ?? null;
  const ids = Object.entries(card.external_ids ?? {}).filter(
    ([name]) => !idsOfPrintings.includes(name),
  );
  const has = (kind: ImportMatch): boolean => match.includes(kind);
  return {
    cardId: card.card_id ?? null,
    sku: card.sku ?? null,
    cert:
      has("cert_number") && grading !== null && certNumber !== null
        ? { grader: grading.grader, certNumber }
        : null,
    externalIds: has("external_id") && ids.length > 0 ? Object.fromEntries(ids) : null,
    identity: has("identity") ? identityOf(card) : null,
  };
}

/** A card with a certificate is one of a kind. */
function identityOf(card: MappedCard): CardIdentity | null {
  if (card.title == null || card.grading?.cert_number != null) return null;
  return {
    title: card.title,
    set: card.set ?? null,
    number: card.number ?? null,
    variant: card.variant ?? null,
    language: card.language ?? null,
    condition: card.condition ?? null,
    grader: card.grading?.grader ?? null,
    grade: card.grading?.grade ?? null,
  };
}

/** The same as texts, by which rows of one file are compared. */
export function keysOf(marks: CardMarks): { key: string; by: ImportMatch }[] {
  const { sku, cert, externalIds, identity } = marks;
  const keys: { key: string; by: ImportMatch }[] = [];
  const add = (by: ImportMatch, value: unknown): void => {
    const digest = createHash("sha256").update(JSON.stringify(value)).digest("base64url");
    keys.push({ by, key: `${by}:${digest.slice(0, 32)}` });
  };
  if (sku !== null) add("sku", sku);
  if (cert !== null) add("cert_number", cert);
  for (const [name, id] of Object.entries(externalIds ?? {})) add("external_id", [name, id]);
  if (identity !== null) add("identity", identity);
  return keys;
}

/** The card that a row is, and by what it was recognised. */
export function matchOf(
  match: CardMatch | undefined,
): { cardId: string; by: "card_id" | ImportMatch } | null {
  const found = (
    [
      ["card_id", match?.cardId],
      ["sku", match?.sku],
      ["cert_number", match?.cert],
      ["external_id", match?.externalId],
      ["identity", match?.identity],
    ] as const
  ).find(([, id]) => id !== undefined);
  const [by, cardId] = found ?? [];
  return by === undefined || cardId === undefined ? null : { cardId, by };
}
