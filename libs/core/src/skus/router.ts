import { router } from "../procedures.ts";
import { assignSkusProcedure } from "./assign-skus.ts";
import { previewFormatProcedure } from "./preview-format.ts";

export const skusRouter = router({
  preview: previewFormatProcedure,
  assign: assignSkusProcedure,
});
