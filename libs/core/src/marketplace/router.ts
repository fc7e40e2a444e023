import { router } from "../procedures.ts";
import { connectProcedure } from "./connect.ts";
import { connectionProcedure } from "./connection.ts";
import { disconnectProcedure } from "./disconnect.ts";
import { createLocationProcedure } from "./setup-location.ts";
import { saveSetupProcedure } from "./setup-save.ts";
import { setupProcedure } from "./setup.ts";

export const marketplaceRouter = router({
  connection: connectionProcedure,
  connect: connectProcedure,
  disconnect: disconnectProcedure,
  setup: setupProcedure,
  saveSetup: saveSetupProcedure,
  createLocation: createLocationProcedure,
});
