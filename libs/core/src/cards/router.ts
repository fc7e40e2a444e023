import { cardHistoryProcedure } from "../history/card-history.ts";
import { undoChangeProcedure } from "../history/undo-change.ts";
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
  history: cardHistoryProcedure,
  undoChange: undoChangeProcedure,
});
