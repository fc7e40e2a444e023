import { router } from "../procedures.ts";
import { createCardProcedure } from "./create-card.ts";
import { getCardProcedure } from "./get-card.ts";
import { listCardsProcedure } from "./list-cards.ts";
import { updateCardProcedure } from "./update-card.ts";

export const cardsRouter = router({
  list: listCardsProcedure,
  get: getCardProcedure,
  update: updateCardProcedure,
  create: createCardProcedure,
});
