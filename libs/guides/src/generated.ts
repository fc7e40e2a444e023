import {
  addressRequestLimit,
  attemptTimeoutSeconds,
  defaultPageSize,
  deliveryDeadlineSeconds,
  endpointFailureSeconds,
  idempotencyKeepSeconds,
  idempotencyKeyMaxLength,
  limitClasses,
  maxBodyBytes,
  maxEndpointsPerAccount,
  maxEventBodyBytes,
  maxFilterValues,
  maxPageSize,
  replayToleranceSeconds,
  requestLimits,
  requestWindowSeconds,
  restErrorCodes,
  restErrorTable,
  retryAfterCapSeconds,
  signatureHeader,
  standardWebhookHeaders,
  testEventLimit,
  testMarkHeader,
  waitsSeconds,
} from "@cardvault/contract";
import type { LimitClass } from "@cardvault/contract";
import { durationWords } from "./durations.ts";
import { errorAdvice, retryWords } from "./error-advice.ts";
import { envelopeTable, eventNames, eventReference } from "./event-reference.ts";
import { markdownTable } from "./markdown-table.ts";

/** What the guides tell of an operation. */
export interface OperationFacts {
  readonly method: string;
  /** As `/cards/{id}`. */
  readonly path: string;
  readonly limitClass: LimitClass;
  readonly scopes: readonly string[];
}

/** What differs from one installation to the next, and what other rooms know. */
export interface GuideFacts {
  /** The installation's own, without a slash at the end. */
  readonly origin: string;
  readonly operations: readonly OperationFacts[];
}

const kib = (bytes: number): string => `${bytes / 1024} KiB`;

/** Numbers within sentences: `{{maxPageSize}}`. */
const values: Readonly<Record<string, string>> = {
  addressRequestLimit: String(addressRequestLimit),
  attemptTimeout: durationWords(attemptTimeoutSeconds),
  attempts: String(waitsSeconds.length + 1),
  defaultPageSize: String(defaultPageSize),
  deliveryDeadline: durationWords(deliveryDeadlineSeconds),
  endpointFailure: durationWords(endpointFailureSeconds),
  idempotencyKeep: durationWords(idempotencyKeepSeconds),
  idempotencyKeyMaxLength: String(idempotencyKeyMaxLength),
  maxEndpoints: String(maxEndpointsPerAccount),
  maxEventBody: kib(maxEventBodyBytes),
  maxPageSize: String(maxPageSize),
  readLimit: String(requestLimits.read),
  replayTolerance: durationWords(replayToleranceSeconds),
  retryAfterCap: durationWords(retryAfterCapSeconds),
  signatureHeader,
  standardId: standardWebhookHeaders.id,
  standardSignature: standardWebhookHeaders.signature,
  standardTimestamp: standardWebhookHeaders.timestamp,
  testMarkHeader,
  window: durationWords(requestWindowSeconds),
};

/** Tables: `<!-- generated: error-codes -->`. */
const tables: Readonly<Record<string, (facts: GuideFacts) => string>> = {
  "error-codes": errorCodes,
  "event-envelope": envelopeTable,
  "event-names": eventNames,
  "event-reference": eventReference,
  "limit-classes": limitTable,
  "other-limits": otherLimits,
  "retry-waits": retryWaits,
  scopes: scopeTable,
};

const directive = /^<!-- generated: ([a-z-]+) -->$/gmu;
const value = /\{\{(\w+)\}\}/gu;

function known<Found>(found: Found | undefined, name: string): Found {
  if (found === undefined)
    throw new TypeError(`A guide asks for “${name}”, which nothing generates`);
  return found;
}

/**
 * A guide's text with everything in it that the contract says.
 * @throws TypeError for a name that nothing stands behind
 */
export function withGenerated(markdown: string, facts: GuideFacts): string {
  return markdown
    .replaceAll(directive, (_whole, name: string) => known(tables[name], name)(facts))
    .replaceAll(value, (_whole, name: string) => known(values[name], name));
}

function errorCodes(): string {
  return markdownTable(
    ["Code", "Status", "It says", "What to do", "Try again?"],
    restErrorCodes.map((code) => {
      const { status, message } = restErrorTable[code];
      const { retry, advice } = errorAdvice[code];
      return [`\`${code}\``, String(status), message, advice, retryWords[retry]];
    }),
  );
}

const nameOf = ({ method, path }: OperationFacts): string => `\`${method} ${path}\``;

function limitTable({ operations }: GuideFacts): string {
  const words: Record<LimitClass, string> = { read: "read", write: "write", ai: "AI" };
  return markdownTable(
    ["Class", `In ${durationWords(requestWindowSeconds)}`, "Operations"],
    limitClasses.map((limitClass) => [
      words[limitClass],
      String(requestLimits[limitClass]),
      operations
        .filter((operation) => operation.limitClass === limitClass)
        .map(nameOf)
        .join("<br>"),
    ]),
  );
}

function scopeTable({ operations }: GuideFacts): string {
  return markdownTable(
    ["Operation", "Scopes"],
    operations.map((operation) => [
      nameOf(operation),
      operation.scopes.map((scope) => `\`${scope}\``).join(", "),
    ]),
  );
}

function otherLimits(): string {
  return markdownTable(
    ["What", "Limit"],
    [
      ["Body of a request", kib(maxBodyBytes)],
      ["Rows a page", `${maxPageSize}; ${defaultPageSize} where nothing is asked for`],
      ["Values of one repeated filter", String(maxFilterValues)],
      ["`Idempotency-Key`", `1 to ${idempotencyKeyMaxLength} characters`],
      ["Body of an event", kib(maxEventBodyBytes)],
      ["Webhook endpoints of an account", String(maxEndpointsPerAccount)],
      ["Test events of an account", `${testEventLimit} in ${durationWords(requestWindowSeconds)}`],
    ],
  );
}

function retryWaits(): string {
  let sinceFirst = 0;
  const rows = waitsSeconds.map((wait, index) => {
    sinceFirst += wait;
    return [String(index + 2), durationWords(wait), durationWords(sinceFirst)];
  });
  return markdownTable(
    ["Attempt", "After the one before", "Since the first"],
    [["1", "at once", ""], ...rows],
  );
}
