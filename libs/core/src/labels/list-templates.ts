import { labelTemplatesAnswer } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { loadDrawing } from "./load-drawing.ts";

export const labelTemplatesProcedure = session()
  .output(labelTemplatesAnswer)
  .query(async () => ({ data: (await loadDrawing()).listTemplates() }));
