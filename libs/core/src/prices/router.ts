import { router } from "../procedures.ts";
import { listPriceHistoryProcedure } from "./list-price-history.ts";
import { lookUpPricesProcedure } from "./look-up-prices.ts";

export const pricesRouter = router({
  lookUp: lookUpPricesProcedure,
  history: listPriceHistoryProcedure,
});
