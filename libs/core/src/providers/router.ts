import { router } from "../procedures.ts";
import { providerHealthProcedure } from "./provider-health.ts";

export const providersRouter = router({ health: providerHealthProcedure });
