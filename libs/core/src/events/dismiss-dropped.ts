import { dismissAnswer, dismissInput } from "@cardvault/contract";
import { dismissDropped } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Puts dropped deliveries aside: those named, or all of an endpoint. What is not dropped, not there
 * or another account's is passed over, and not counted.
 * @returns how many were put aside now
 */
async function dismiss(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Access,
  input: {
    delivery_ids?: string[] | undefined;
    endpoint_id?: string | undefined;
    note?: string | undefined;
  },
): Promise<{ dismissed: number }> {
  const dismissal = { at: clock.now(), note: input.note ?? null };
  if (input.delivery_ids !== undefined) {
    const deliveryIds = input.delivery_ids.filter((id) => isId("dlv", id));
    return { dismissed: await dismissDropped(db, accountId, { deliveryIds }, dismissal) };
  }
  const endpointId = input.endpoint_id ?? "";
  if (!isId("whe", endpointId)) return { dismissed: 0 };
  return { dismissed: await dismissDropped(db, accountId, { endpointId }, dismissal) };
}

export const dismissDroppedProcedure = session()
  .input(dismissInput)
  .output(dismissAnswer)
  .mutation(({ ctx, input }) => dismiss(ctx.services, ctx.access, input));
