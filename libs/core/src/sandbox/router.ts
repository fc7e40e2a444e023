import { router } from "../procedures.ts";
import { sandboxCancelOrderProcedure } from "./cancel-order.ts";
import { sandboxEndProcedure, sandboxRelistProcedure } from "./end-listing.ts";
import { sandboxFailNextProcedure } from "./fail-next.ts";
import { sandboxSellProcedure } from "./sell-listing.ts";

export const sandboxRouter = router({
  sell: sandboxSellProcedure,
  end: sandboxEndProcedure,
  relist: sandboxRelistProcedure,
  cancelOrder: sandboxCancelOrderProcedure,
  failNext: sandboxFailNextProcedure,
});
