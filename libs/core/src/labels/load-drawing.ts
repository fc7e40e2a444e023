import type * as labels from "@cardvault/labels";

/**
 * Fonts and barcodes are megabytes of code: they are loaded when labels are first asked for, and never by
 * a worker, which is measured by its memory.
 */
export function loadDrawing(): Promise<typeof labels> {
  return import("@cardvault/labels");
}
