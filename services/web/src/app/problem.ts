import type { ErrorDetail } from "@cardvault/contract";
import { TRPCClientError } from "@trpc/client";

/** An error as a person is shown it: what happened, its code, and the request to name to support. */
export interface Problem {
  code: string;
  message: string;
  status: number | null;
  requestId: string | null;
  details: readonly ErrorDetail[];
  retryAfterSeconds: number | null;
}

/** An answer of a sign-in endpoint that was not a success. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const unreachable: Problem = {
  code: "unreachable",
  message: "The service cannot be reached. Nothing was lost; try again.",
  status: null,
  requestId: null,
  details: [],
  retryAfterSeconds: null,
};

/** A page, or a part of one, whose code did not come: what stands on the page is as it was. */
export class CodeMissing extends Error {
  override readonly name = "CodeMissing";
  readonly problem: Problem;
  /** A release has replaced it: no retry brings it, and a reload does. */
  readonly isReplaced: boolean;

  constructor(isReplaced: boolean, options: ErrorOptions) {
    const problem = isReplaced ? replaced : missing;
    super(problem.message, options);
    this.problem = problem;
    this.isReplaced = isReplaced;
  }
}

const replaced: Problem = {
  ...unreachable,
  code: "pages_updated",
  message: "A newer version of the pages has replaced this one. Reload to go on with it.",
};
const missing: Problem = {
  ...unreachable,
  code: "page_not_loaded",
  message: "Its code did not come. Nothing was lost; check the connection and try again.",
};

/** The problem behind anything that a call throws. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AuthError) return error.problem;
  if (error instanceof CodeMissing) return error.problem;
  if (error instanceof TRPCClientError) {
    const data: unknown = error.data;
    const response: unknown = error.meta?.["response"];
    // What is refused before its procedure is known has it in the header alone.
    const inHeader = response instanceof Response ? response.headers.get("x-request-id") : null;
    if (isRecord(data) && typeof data["code"] === "string") {
      const retryAfterSeconds = numberOf(data["retry_after_seconds"]);
      const isTooFast = data["code"] === "rate_limit_exceeded" && retryAfterSeconds !== null;
      return {
        code: data["code"],
        message: isTooFast ? tooFast(retryAfterSeconds) : error.message,
        status: numberOf(data["status"]),
        requestId: textOf(data["request_id"]) ?? inHeader,
        details: detailsOf(data["details"]),
        retryAfterSeconds,
      };
    }
    if (response instanceof Response) {
      return {
        ...unreachable,
        code: `http_${response.status}`,
        message: `The service answered ${response.status} without saying why.`,
        status: response.status,
        requestId: inHeader,
      };
    }
    return unreachable;
  }
  return {
    ...unreachable,
    code: "page_failed",
    message: "This page failed. Reload it; if it fails again, tell us what you did.",
  };
}

function tooFast(seconds: number): string {
  return `Too many requests. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** The members that the service found wrong, by path, for the fields of a form. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const { details } = problemOf(error);
  return Object.fromEntries(
    details.map(({ path, message }) => [path.split(".")[0] ?? path, message]),
  );
}

export function isSignInRequired(error: unknown): boolean {
  return problemOf(error).code === "sign_in_required";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function detailsOf(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry["path"] === "string" && typeof entry["message"] === "string"
      ? [{ path: entry["path"], message: entry["message"] }]
      : [],
  );
}

/** The problem in the body of an answer that is not a success, ours or of the sign-in library. */
export function problemOfAnswer(response: Response, body: unknown): Problem {
  const inner = isRecord(body) && isRecord(body["error"]) ? body["error"] : body;
  const said = isRecord(inner) ? inner : {};
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    code: textOf(said["code"])?.toLowerCase() ?? `http_${response.status}`,
    message: textOf(said["message"]) ?? `The service answered ${response.status}.`,
    status: response.status,
    requestId: textOf(said["request_id"]) ?? response.headers.get("x-request-id"),
    details: detailsOf(said["details"]),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}
