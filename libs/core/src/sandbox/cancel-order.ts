import { sandboxDone, sandboxOrderInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { controlSandbox, sellerPath } from "./sandbox-control.ts";

/** A buyer's order in a test account is cancelled. */
export const sandboxCancelOrderProcedure = session()
  .input(sandboxOrderInput)
  .output(sandboxDone)
  .mutation(async ({ ctx: { services, access }, input: { order_id: id } }) => {
    const path = `${sellerPath(access)}/orders/${encodeURIComponent(id)}/cancel`;
    await controlSandbox(services, access, path);
    return { order_id: id };
  });
