import { router } from "../procedures.ts";
import { labelTemplatesProcedure } from "./list-templates.ts";
import { previewLabelsProcedure } from "./preview-labels.ts";

export const labelsRouter = router({
  templates: labelTemplatesProcedure,
  preview: previewLabelsProcedure,
});
