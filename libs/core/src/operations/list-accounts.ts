import { accountHealthAnswer } from "@cardvault/contract";
import { listAccountHealth } from "@cardvault/db";
import { operator } from "../procedures.ts";

export const listAccountHealthProcedure = operator
  .output(accountHealthAnswer)
  .query(({ ctx: { services } }) => listAccountHealth(services.db, services.clock.now()));
