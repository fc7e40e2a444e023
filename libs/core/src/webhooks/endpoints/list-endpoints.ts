import { endpointListAnswer } from "@cardvault/contract";
import { listEndpoints } from "@cardvault/db";
import { session } from "../../procedures.ts";
import { endpointAnswer } from "./endpoint-answer.ts";

export const listEndpointsProcedure = session("owner")
  .output(endpointListAnswer)
  .query(async ({ ctx: { services, access } }) => {
    const endpoints = await listEndpoints(services.db, access.accountId);
    return { data: endpoints.map((one) => endpointAnswer(one, services.clock.now())) };
  });
