import { createCard } from "./create.ts";
import { decideCard } from "./decide.ts";
import type { CardCommand } from "./decide.ts";
import type { CardPatch } from "./edit.ts";
import { unknownIdentification } from "./state.ts";
import type { CardState, IdentificationFields } from "./state.ts";

/** What the tests of this room share. */
export const now = new Date("2026-03-01T10:00:00.000Z");
export const cardId = "card_01kjm2yc00e00rf6sv9yp2y9rc";
export const listingId = "lst_01kjm2yc00e00rf6sv9yp2y9re";
export const otherListingId = "lst_01kjm2yc00e00rf6sv9yp2y9rf";
export const batchId = "batch_01kjm2yc00e00rf6sv9yp2y9rd";
export const price = { amount: 1250, currency: "USD" };

export function usd(amount: number): { amount: number; currency: string } {
  return { amount, currency: "USD" };
}

export function fieldsOf(fields: Partial<IdentificationFields> = {}): IdentificationFields {
  return { ...unknownIdentification, ...fields };
}

/** A card made with these fields, then taken through these commands. */
export function cardWith(
  fields: Omit<CardPatch, "sku"> = {},
  commands: readonly CardCommand[] = [],
): CardState {
  const made = createCard(
    { id: cardId, sku: "CV-00001", batch: null, fields, accountCurrency: "USD" },
    now,
  ).state;
  return commands.reduce((card, command) => decideCard(card, command, now).state, made);
}

export function edit(patch: CardPatch): CardCommand {
  return { type: "edit", patch, accountCurrency: "USD" };
}

export const attachPhoto: CardCommand = { type: "attach_listing_photo" };
export const publish: CardCommand = { type: "listing_publishing", listingId };
export const goLive: CardCommand = { type: "listing_live", listingId };
export const close: CardCommand = { type: "listing_closed", listingId };
export const sellOne: CardCommand = { type: "sell_by_hand", quantity: 1 };

/** One card in each stage of the workflow, with every fact that the stage can have. */
export const cardAt = {
  imported: cardWith(),
  identified: cardWith({ title: "Charged Serpent" }),
  priced: cardWith({ title: "Charged Serpent", askingPrice: price }),
  photographed: cardWith({ title: "Charged Serpent", askingPrice: price }, [attachPhoto]),
  listed: cardWith({ title: "Charged Serpent", askingPrice: price }, [
    attachPhoto,
    publish,
    goLive,
  ]),
  sold: cardWith({ title: "Charged Serpent", askingPrice: price }, [attachPhoto, sellOne]),
  archived: cardWith({ title: "Charged Serpent", askingPrice: price }, [
    attachPhoto,
    { type: "archive" },
  ]),
} as const satisfies Record<CardState["workflowStatus"], CardState>;
