import { labelTemplatesAnswer } from "@cardvault/contract";
import { listTemplates } from "@cardvault/labels";
import { session } from "../procedures.ts";

export const labelTemplatesProcedure = session()
  .output(labelTemplatesAnswer)
  .query(() => ({ data: listTemplates() }));
