import * as z from "zod";
import { ProviderError } from "../../call/provider-error.ts";
import { loose, looseList } from "../../fields.ts";
import type { MarketplaceProblem } from "../port.ts";
import { problemOf } from "../problems.ts";
import { codeOfErrorId, missingErrorIds, namedField, passingErrorIds } from "./error-ids.ts";

const entry = z.object({
  errorId: z.number(),
  message: loose,
  parameters: looseList(z.object({ name: loose, value: loose })),
});
const body = z.object({ errors: looseList(entry) });
/** One error as eBay wrote it; for the log, and to find out what is meant. Not for customers. */
type Entry = z.output<typeof entry>;

/** Why eBay said no. That is an answer and no failure of its own: it works. */
export class EbayRefusal extends Error {
  override readonly name = "EbayRefusal";
  readonly code: "refused" | "not_found" | "consent_revoked";
  readonly problems: readonly MarketplaceProblem[];
  readonly errorIds: readonly number[];
  /** The beginning of what eBay wrote, for the log. */
  readonly detail: string;

  constructor(
    code: EbayRefusal["code"],
    problems: readonly MarketplaceProblem[],
    errorIds: readonly number[] = [],
    detail = "",
  ) {
    super(`eBay refused: ${code}.`);
    this.code = code;
    this.problems = problems;
    this.errorIds = errorIds;
    this.detail = detail.slice(0, 500);
  }
}

/**
 * What an answer of the Sell APIs that is no success means: what passes is a failure that is tried again,
 * everything else of the client's side is a refusal, thrown. Null for the usual meaning of the status.
 * @throws EbayRefusal
 */
export function errorOfAnswer(status: number, text: string): ProviderError | null {
  const entries = entriesOf(text);
  const errorIds = entries.map(({ errorId }) => errorId);
  if (errorIds.some((id) => passingErrorIds.has(id))) {
    return new ProviderError("unavailable", { detail: text });
  }
  const isUsual = status < 400 || status === 401 || status === 408 || status === 429;
  if (isUsual || status >= 500) return null;
  const isMissing = status === 404 || errorIds.some((id) => missingErrorIds.has(id));
  throw new EbayRefusal(
    isMissing ? "not_found" : "refused",
    problemsOf(status, entries),
    errorIds,
    text,
  );
}

function entriesOf(text: string): readonly Entry[] {
  try {
    return body.safeParse(JSON.parse(text)).data?.errors ?? [];
  } catch {
    return [];
  }
}

function problemsOf(status: number, entries: readonly Entry[]): readonly MarketplaceProblem[] {
  const fallback = status === 403 ? "not_permitted" : "refused";
  if (entries.length === 0) return [problemOf(fallback)];
  const problems = entries.map(({ errorId, message, parameters }) => {
    const code = codeOfErrorId(errorId);
    if (code !== "refused" && code !== "field_invalid") return problemOf(code);
    const named = namedField(parameters.flatMap(({ value }) => value ?? []));
    if (named !== null) return problemOf(...named);
    // The number says no more than that something is wrong; that it is an item specific, only the text.
    if (/item specific/i.test(message ?? "")) return problemOf("aspect_missing");
    return problemOf(code === "refused" ? fallback : code);
  });
  return problems.filter(
    (one, index) =>
      problems.findIndex((it) => it.code === one.code && it.field === one.field) === index,
  );
}
