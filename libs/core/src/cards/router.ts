import { cardHistoryProcedure } from "../history/card-history.ts";
import { undoChangeProcedure } from "../history/undo-change.ts";
import { router } from "../procedures.ts";
import { createCardProcedure } from "./create-card.ts";
import { getCardProcedure } from "./get-card.ts";
import { cardAnchorsProcedure, cardIdsProcedure } from "./list-card-ids.ts";
import { cardRowsProcedure } from "./list-card-rows.ts";
import { listCardsProcedure } from "./list-cards.ts";
import { cardTotalsProcedure } from "./read-totals.ts";
import { cardSalesProcedure } from "./list-sales.ts";
import { recordSaleProcedure } from "./record-sale.ts";
import { updateCardProcedure } from "./update-card.ts";
import { voidSaleProcedure } from "./void-sale.ts";

export const cardsRouter = router({
  list: listCardsProcedure,
  get: getCardProcedure,
  update: updateCardProcedure,
  create: createCardProcedure,
  ids: cardIdsProcedure,
  anchors: cardAnchorsProcedure,
  rows: cardRowsProcedure,
  totals: cardTotalsProcedure,
  recordSale: recordSaleProcedure,
  voidSale: voidSaleProcedure,
  sales: cardSalesProcedure,
  history: cardHistoryProcedure,
  undoChange: undoChangeProcedure,
});
