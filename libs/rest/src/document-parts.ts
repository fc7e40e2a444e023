import { exampleId, restErrorTable } from "@cardvault/contract";
import type { RestErrorCode } from "@cardvault/contract";
import type { oas31 } from "zod-openapi";
import type { Operation } from "./operations.ts";

type Headers = Record<string, oas31.ReferenceObject>;

const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

/** Every header of an answer, once. */
export const headerComponents = {
  "X-Request-Id": {
    description: "Identifies this request; support asks for it.",
    schema: { ...text, examples: [exampleId("req")] },
  },
  "X-RateLimit-Limit": {
    description: "Requests that the window of 60 seconds lets through.",
    schema: { ...integer, examples: [60] },
  },
  "X-RateLimit-Remaining": {
    description: "Requests that the window still lets through.",
    schema: { ...integer, examples: [59] },
  },
  "X-RateLimit-Reset": {
    description: "Unix second at which the oldest counted request leaves the window.",
    schema: { ...integer, examples: [1772357460] },
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    schema: { ...integer, examples: [12] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    schema: { ...text, examples: ['Bearer realm="vault"'] },
  },
  ETag: {
    description: "The version, for conditional requests.",
    schema: { ...text, examples: ['"3"'] },
  },
  Link: {
    description: 'The next page, as `<address>; rel="next"`. Absent on the last one.',
    schema: text,
  },
  "Idempotent-Replayed": {
    description: "`true` where the answer is the stored one of an earlier request.",
    schema: { ...text, examples: ["true"] },
  },
} satisfies Record<string, oas31.HeaderObject>;

type HeaderName = keyof typeof headerComponents;

export function headerReferences(...names: HeaderName[]): Headers {
  const always: HeaderName[] = [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
  ];
  return Object.fromEntries(
    [...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The request headers that an operation takes. */
export const parameterComponents = {
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "An `ETag`; where it is still the present one the answer is 304.",
    schema: { type: "string", examples: ['"3"'] },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "An `ETag`; where it is not the present one nothing changes and the answer is 412.",
    schema: { type: "string", examples: ['"3"'] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes a repeat safe: for 24 hours the same key with the same body is answered with the first answer.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
} satisfies Record<string, oas31.ParameterObject>;

const extraHeaders: Partial<Record<number, HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** One status with the codes that it can come with, each with its example. */
function errorResponse(status: number, codes: readonly RestErrorCode[]): oas31.ResponseObject {
  const example = (code: RestErrorCode): oas31.ExampleObject => ({
    value: {
      error: { code, message: restErrorTable[code].message, status, request_id: exampleId("req") },
    },
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${restErrorTable[code].message}`).join("\n\n"),
    headers: headerReferences(...(extraHeaders[status] ?? [])),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

const common = {
  Unauthorized: ["missing_token", "invalid_token", "revoked_token", "expired_token"],
  Forbidden: ["insufficient_scope", "account_suspended"],
  BodyTooLarge: ["body_too_large"],
  UnsupportedMediaType: ["unsupported_media_type"],
  RateLimitExceeded: ["rate_limit_exceeded"],
  InternalError: ["internal_error"],
  ServiceUnavailable: ["service_unavailable"],
} satisfies Record<string, RestErrorCode[]>;

/** The error answers that do not differ from one operation to the next. */
export const responseComponents: Record<string, oas31.ResponseObject> = Object.fromEntries(
  Object.entries(common).map(([name, codes]) => [
    name,
    errorResponse(restErrorTable[codes[0] ?? "internal_error"].status, codes),
  ]),
);

/** Every code that an operation can answer with. */
export function errorCodesOf(operation: Operation): RestErrorCode[] {
  const { meta, takesBody, type, queryFields } = operation;
  const codes: RestErrorCode[] = ["validation_failed"];
  if (takesBody) codes.push("invalid_json", "body_too_large", "unsupported_media_type");
  if (queryFields.has("cursor")) codes.push("invalid_cursor");
  codes.push(...common.Unauthorized, ...common.Forbidden);
  if (meta.notFoundCode !== undefined) codes.push(meta.notFoundCode);
  if (meta.etag === true && type === "mutation") codes.push("precondition_failed");
  if (meta.idempotent === true) codes.push("idempotency_in_progress", "idempotency_key_reused");
  codes.push(...(meta.errors ?? []));
  codes.push("rate_limit_exceeded", "internal_error", "service_unavailable");
  return [...new Set(codes)];
}

/** The error answers of an operation, by status. */
export function errorResponses(
  operation: Operation,
): Record<string, oas31.ResponseObject | oas31.ReferenceObject> {
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => restErrorTable[code].status);
  const entries = [...byStatus].map(([status, codes]) => {
    const shared = Object.entries(common).find(
      ([, those]) =>
        those.length === codes.length && codes.every((code) => (those as string[]).includes(code)),
    );
    return [
      String(status),
      shared === undefined
        ? errorResponse(status, codes)
        : { $ref: `#/components/responses/${shared[0]}` },
    ] as const;
  });
  return Object.fromEntries(entries);
}
