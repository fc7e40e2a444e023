import { labelDocumentInput, validationDetails, VaultError } from "@cardvault/contract";
import type { Readable } from "node:stream";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { labelContents } from "./label-contents.ts";
import { loadDrawing } from "./load-drawing.ts";

/** A document to download. */
interface LabelDocument {
  contentType: "application/pdf" | "image/svg+xml";
  fileName: string;
  /** A PDF is drawn while it is read; whoever does not read it to its end destroys it. */
  body: Readable | string;
}

/**
 * Makes the labels that a request of a session asks for.
 * @param body the request's, not looked at yet
 * @throws VaultError `validation_failed`, also where there is nothing to print
 */
export async function labelDocument(
  { db }: Pick<Services, "db">,
  { accountId }: Pick<Access, "accountId">,
  body: unknown,
): Promise<LabelDocument> {
  const parsed = labelDocumentInput.safeParse(body);
  if (!parsed.success) {
    throw new VaultError("validation_failed", { details: validationDetails(parsed.error) });
  }
  const input = parsed.data;
  const { labels } = await labelContents(db, accountId, input);
  if (labels.length === 0) {
    throw refusal("subjects", "Nothing to print: there is none of these in the account");
  }
  const { countPages, pageOf, pagesOf, pagesPdf, pageSvg, templateOf } = await loadDrawing();
  const template = templateOf(input.template);
  const sheets = { template, barcode: input.barcode, skip: input.skip, labels };
  if (input.format === "svg") {
    const pages = countPages(sheets);
    if (input.page > pages) throw refusal("page", `Must be at most ${pages}, the last page`);
    const fileName = input.page === 1 ? "labels.svg" : `labels-${input.page}.svg`;
    const svg = pageSvg(template, pageOf(sheets, input.page));
    return { contentType: "image/svg+xml", fileName, body: svg };
  }
  const pdf = pagesPdf(template, pagesOf(sheets), "Labels");
  return { contentType: "application/pdf", fileName: "labels.pdf", body: pdf };
}

function refusal(path: string, message: string): VaultError {
  return new VaultError("validation_failed", { details: [{ path, message }] });
}
