import { previewTemplateAnswer, previewTemplateInput } from "@cardvault/contract";
import type { ErrorDetail, PreviewTemplate, PreviewTemplateInput } from "@cardvault/contract";
import { findLatestCardId, lookAtAccount } from "@cardvault/db";
import { fitTitle, renderDescription, templateProblem } from "@cardvault/domain";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { effectiveTemplates } from "../plan-listing.ts";
import { readSurroundings } from "../surroundings.ts";

/**
 * What templates make of a card, and what is wrong with them. Nothing is written.
 * @throws VaultError `card_not_found`
 */
async function previewTemplate(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  { card_id: wanted, ...given }: PreviewTemplateInput,
): Promise<PreviewTemplate> {
  const problems = (["title", "description"] as const).flatMap((path): ErrorDetail[] => {
    const message = given[path] === undefined ? null : templateProblem(given[path]);
    return message === null ? [] : [{ path, message }];
  });
  const cardId = wanted ?? (await findLatestCardId(db, accountId));
  if (cardId === null) {
    return { card_id: null, title: "", dropped: [], description: "", problems };
  }
  return lookAtAccount(db, accountId, async ({ tx, cards }) => {
    const card = await cards.get(cardId);
    const surroundings = await readSurroundings(tx, accountId, [cardId]);
    const effective = effectiveTemplates(card, surroundings(card).templates);
    const isWrong = (path: string): boolean => problems.some((problem) => problem.path === path);
    const { title, dropped } = fitTitle(given.title ?? effective.title, card);
    if (title === "" && !isWrong("title")) {
      problems.push({ path: "title", message: "It makes no title of this card" });
    }
    return {
      card_id: card.id,
      title: isWrong("title") ? "" : title,
      dropped: isWrong("title") ? [] : dropped,
      description: isWrong("description")
        ? ""
        : renderDescription(given.description ?? effective.description, card),
      problems,
    };
  });
}

export const previewTemplateProcedure = session()
  .input(previewTemplateInput)
  .output(previewTemplateAnswer)
  // Templates may be longer than an address.
  .mutation(({ ctx, input }) => previewTemplate(ctx.services, ctx.access, input));
