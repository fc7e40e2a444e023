import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  errorAnswer,
  errorAnswerOf,
  errorCodes,
  errorTable,
  restErrorCodes,
  restErrorTable,
  VaultError,
} from "./errors.ts";
import { validationDetails } from "./validation.ts";

/** The closed table, written a second time on purpose: a change of it must be meant. */
const documented: Record<number, string[]> = {
  400: ["invalid_json", "validation_failed", "invalid_cursor"],
  401: ["missing_token", "invalid_token", "revoked_token", "expired_token"],
  403: ["insufficient_scope", "account_suspended"],
  404: ["card_not_found", "batch_not_found", "listing_not_found", "route_not_found"],
  405: ["method_not_allowed"],
  409: [
    "conflict",
    "invalid_transition",
    "already_listed",
    "batch_complete",
    "identification_in_progress",
    "idempotency_in_progress",
  ],
  412: ["precondition_failed"],
  413: ["body_too_large"],
  415: ["unsupported_media_type"],
  422: [
    "identification_failed",
    "photo_unavailable",
    "card_not_publishable",
    "idempotency_key_reused",
  ],
  429: ["rate_limit_exceeded"],
  500: ["internal_error"],
  502: ["marketplace_error"],
  503: ["service_unavailable"],
  504: ["upstream_timeout"],
};

describe("the error table", () => {
  it("is closed: exactly the documented codes, each with its status", () => {
    const byStatus: Record<number, string[]> = {};
    for (const code of restErrorCodes) {
      (byStatus[restErrorTable[code].status] ??= []).push(code);
    }
    expect(byStatus).toEqual(documented);
  });

  it("has three more codes for the web interface alone", () => {
    expect(errorCodes.filter((code) => !(restErrorCodes as string[]).includes(code))).toEqual([
      "sign_in_required",
      "not_permitted",
      "not_found",
    ]);
  });

  it("has one whole sentence for each code", () => {
    for (const { message } of Object.values(errorTable)) {
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
    const messages = Object.values(errorTable).map(({ message }) => message);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe("VaultError", () => {
  it("takes status and sentence from the table", () => {
    const error = new VaultError("card_not_found");
    expect(error).toMatchObject({ status: 404, message: errorTable.card_not_found.message });
    expect(error.cause).toBeUndefined();
  });

  it("carries its own sentence, details, cause and header values", () => {
    const cause = new Error("inside");
    const details = [{ path: "title", message: "Too long" }];
    const error = new VaultError("method_not_allowed", {
      message: "Not so.",
      details,
      cause,
      retryAfterSeconds: 3,
      allow: ["GET"],
    });
    expect(error).toMatchObject({
      message: "Not so.",
      details,
      cause,
      retryAfterSeconds: 3,
      allow: ["GET"],
    });
  });

  it("is answered by the documented body, and its cause is not", () => {
    const error = new VaultError("validation_failed", {
      details: [{ path: "title", message: "Too long" }],
      cause: new Error("inside"),
    });
    const answer = errorAnswerOf(error, "req_01kjn2z6g0fgz9pqafd9r83gq3");
    expect(errorAnswer.parse(answer)).toEqual({
      error: {
        code: "validation_failed",
        message: errorTable.validation_failed.message,
        status: 400,
        request_id: "req_01kjn2z6g0fgz9pqafd9r83gq3",
        details: [{ path: "title", message: "Too long" }],
      },
    });
    expect(JSON.stringify(answer)).not.toContain("inside");
    expect(errorAnswerOf(new VaultError("conflict"))).toEqual({
      error: { code: "conflict", message: errorTable.conflict.message, status: 409 },
    });
  });
});

describe("validationDetails", () => {
  function detailsOf(schema: z.ZodType, value: unknown) {
    const { error } = schema.safeParse(value);
    return error === undefined ? [] : validationDetails(error);
  }

  it("names each wrong member by its path", () => {
    const schema = z.strictObject({ price: z.strictObject({ amount: z.int() }) });
    const details = detailsOf(schema, { price: { amount: 1.5, rate: 2 }, extra: 1 });
    expect(details.map(({ path }) => path)).toEqual(["price.amount", "price.rate", "extra"]);
  });

  it("stays small and well formed, whatever was sent", () => {
    const body = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${"x".repeat(198)}\u{1f0a1}${index}`, index]),
    );
    const details = detailsOf(z.strictObject({}), body);
    expect(details).toHaveLength(50);
    expect(details.every(({ path }) => path.length <= 200 && path.isWellFormed())).toBe(true);
  });
});
