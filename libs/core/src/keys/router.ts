import { router } from "../procedures.ts";
import { createKeyProcedure } from "./create-key.ts";
import { keyUsageProcedure } from "./read-usage.ts";
import { listKeysProcedure } from "./list-keys.ts";
import { revokeKeyProcedure } from "./revoke-key.ts";
import { rotateKeyProcedure } from "./rotate-key.ts";

export const keysRouter = router({
  list: listKeysProcedure,
  usage: keyUsageProcedure,
  create: createKeyProcedure,
  rotate: rotateKeyProcedure,
  revoke: revokeKeyProcedure,
});
