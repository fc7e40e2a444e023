import { toUuid } from "@cardvault/kit";
import type { Page } from "playwright-core";
import type { InventoryAccount } from "../inventory/account.ts";
import type { Stack } from "../stack/stack.ts";
import { watchReactions } from "./reactions.ts";
import type { Reactions } from "./reactions.ts";
import { countElements } from "./work-page.ts";
import type { Work } from "./work-page.ts";

const decisions = 40;
const lookMs = 300;

/** What a reviewer does all day: accept, skip, correct, and take back. */
export const reviewWork: Work = {
  name: "review",
  async prepare(stack, account) {
    await giveCandidates(stack, account);
  },
  async run(page) {
    await page.goto("/review");
    await page.locator(".review-card .candidate").first().waitFor();
    const reactions = await watchReactions(page);
    const elements = await countElements(page);
    for (let count = 0; count < decisions; count += 1) {
      if (count % 4 === 3) await decide(page, reactions, "review: skip", "s");
      else await decide(page, reactions, "review: accept", "Enter");
    }
    for (let count = 0; count < decisions / 4; count += 1) {
      await reactions.during("review: choose a candidate", 1, () => page.keyboard.press("2"));
      // Two keys as close as a scanner's would wait for a third.
      await page.waitForTimeout(lookMs);
      await decide(page, reactions, "review: undo", "z");
      await decide(page, reactions, "review: accept", "Enter");
      await reactions.until("review: open the form", ".review-form", () =>
        page.keyboard.press("c"),
      );
      await reactions.during("review: type a title", 4, () => page.keyboard.type("Tide"));
      await reactions.until("review: correct", ".review-card", () => page.keyboard.press("Enter"));
      await untilReady(page);
    }
    return { times: reactions.times, elements: Math.max(elements, await countElements(page)) };
  },
};

async function decide(page: Page, reactions: Reactions, kind: string, key: string): Promise<void> {
  await reactions.until(kind, ".review-card", () => page.keyboard.press(key));
  await untilReady(page);
}

/** Until a card is shown, and as long as the quickest looks at one. */
async function untilReady(page: Page): Promise<void> {
  await page.locator(".review-card").waitFor();
  await page.waitForTimeout(lookMs);
}

/** Five candidates for every card that waits for a person: the seeded ones have none. */
async function giveCandidates({ services }: Stack, account: InventoryAccount): Promise<void> {
  await services.db.query(
    `insert into identification (id, account_id, card_id, status, review_reason, threshold, candidates, started_at,
       finished_at, actor_kind)
     select uuidv7(), account_id, id, 'review', 'ambiguous', 0.9, $2::jsonb, now(), now(), 'system'
     from card where account_id = $1 and needs_review
       and not exists (select from identification i where i.card_id = card.id)`,
    [toUuid(account.accountId), JSON.stringify(candidates)],
  );
}

const unsaid = {
  set_code: null,
  subject: null,
  team: null,
  manufacturer: null,
  variant: null,
  language: null,
  print_run: null,
  serial_number: null,
  is_rookie: false,
  is_autograph: false,
  is_memorabilia: false,
};
/** Of every card the same: what is measured is the page. */
const candidates = ["Charged Serpent", "Tidal Djinn", "Iron Heron", "Glass Moth", "Low Sun"].map(
  (title, place) => ({
    confidence: 0.82 - place * 0.07,
    engines: ["local"],
    catalogue: "confirmed",
    external_ids: {},
    grading: null,
    identification: {
      title,
      game: "Lantern",
      set: "Ember Coast",
      number: `${12 + place}/180`,
      year: 2024,
      rarity: "Rare",
      ...unsaid,
    },
    provider: "image_recognition",
    image_url: null,
  }),
);
