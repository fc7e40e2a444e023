import { labelPreview, labelPreviewInput } from "@cardvault/contract";
import type { LabelPreview, LabelPreviewInput } from "@cardvault/contract";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { labelContents } from "./label-contents.ts";
import { loadDrawing } from "./load-drawing.ts";

async function previewLabels(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  input: LabelPreviewInput,
): Promise<LabelPreview> {
  const { labels, isCut } = await labelContents(db, accountId, input);
  const { countPages, pageOf, pageSvg, templateOf } = await loadDrawing();
  const template = templateOf(input.template);
  const sheets = { template, barcode: input.barcode, skip: input.skip, labels };
  const page = pageOf(sheets, 1);
  return {
    svg: pageSvg(template, page),
    labels: labels.length,
    pages: countPages(sheets),
    is_cut: isCut,
    qr_instead: page.filter(({ label }) => label.isQrInstead).length,
    not_covered: [...new Set(page.flatMap(({ label }) => label.notCovered))].join(""),
  };
}

export const previewLabelsProcedure = session()
  .input(labelPreviewInput)
  .output(labelPreview)
  .query(({ ctx, input }) => previewLabels(ctx.services, ctx.access, input));
