import {
  maxPublishPreviewed,
  previewPublishAnswer,
  previewPublishInput,
} from "@cardvault/contract";
import type { ErrorDetail, PreviewPublish, PreviewPublishInput } from "@cardvault/contract";
import { lookAtAccount, readSelectedIds } from "@cardvault/db";
import type { CardState } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { readSellerFacts } from "../marketplace/publish/seller-facts.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { planListing } from "./plan-listing.ts";
import { readSurroundings } from "./surroundings.ts";

const readAtOnce = 500;

type Row = PreviewPublish["rows"][number];

/**
 * What publishing a selection would come to: how many cards can be published, and each rule that others
 * fail, by the very checks that the job makes. Nothing is written.
 */
async function previewPublish(
  services: Services,
  { accountId }: Pick<Access, "accountId">,
  { selection, rows: shown }: PreviewPublishInput,
): Promise<PreviewPublish> {
  const { db } = services;
  const seller = await readSellerFacts(services, accountId);
  const failing: Row[] = [];
  const fitting: Row[] = [];
  const rules = new Map<string, ErrorDetail & { cards: number }>();
  const totals = { cards: 0, publishable: 0, already_listed: 0, failed: 0 };
  const add = (card: CardState, row: Row): void => {
    totals.cards += 1;
    if (card.openListing !== null) {
      totals.already_listed += 1;
      return;
    }
    totals[row.problems.length === 0 ? "publishable" : "failed"] += 1;
    const list = row.problems.length === 0 ? fitting : failing;
    if (list.length < shown) list.push(row);
    for (const { path, message } of row.problems) {
      const key = `${path} ${message}`;
      rules.set(key, { path, message, cards: (rules.get(key)?.cards ?? 0) + 1 });
    }
  };
  let after: string | undefined;
  let isComplete = false;
  while (!isComplete && totals.cards < maxPublishPreviewed) {
    const ids = await readSelectedIds(db, accountId, selection, { after, limit: readAtOnce });
    await lookAtAccount(db, accountId, async ({ tx, cards }) => {
      const found = await cards.getMany(ids);
      const surroundings = await readSurroundings(tx, accountId, ids);
      for (const card of found) {
        const { title, price, problems } = planListing(card, {}, surroundings(card), seller);
        const { id, sku, title: name } = card;
        add(card, { card: { id, sku, title: name }, title, price, problems });
      }
    });
    after = ids.at(-1);
    isComplete = ids.length < readAtOnce;
  }
  return {
    rows: [...failing, ...fitting].slice(0, shown),
    totals: {
      ...totals,
      rules: [...rules.values()].toSorted((one, other) => other.cards - one.cards),
    },
    is_complete: isComplete,
  };
}

/** A mutation that changes nothing: a selection can be too long for an address. */
export const previewPublishProcedure = session()
  .input(previewPublishInput)
  .output(previewPublishAnswer)
  .mutation(({ ctx, input }) => previewPublish(ctx.services, ctx.access, input));
