import { sandboxDone, sandboxFailInput } from "@cardvault/contract";
import type { SandboxFailure } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { controlSandbox, requireTestAccount } from "./sandbox-control.ts";

const publishing = "POST /sell/inventory/v1/offer/*/publish";

/** What the simulator does with the next call of the kind. 25007: it does not accept the shipping policy. */
const faults: Readonly<Record<SandboxFailure, object>> = {
  publish_refused: { fault: "refused", error_id: 25_007, on: publishing },
  publish_answer_lost: { fault: "dropped", when: "after", on: publishing },
  unavailable: { fault: "unavailable", retry_after_seconds: 5 },
};

/** The next call of a test account to the marketplace goes wrong. */
export const sandboxFailNextProcedure = session()
  .input(sandboxFailInput)
  .output(sandboxDone)
  .mutation(async ({ ctx: { services, access }, input: { failure } }) => {
    requireTestAccount(access);
    const fault = { protocol: "ebay", key: access.accountId, remaining: 1, ...faults[failure] };
    await controlSandbox(services, access, "/faults", fault);
    return { order_id: null };
  });
