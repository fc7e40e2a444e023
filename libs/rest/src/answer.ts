import { createHash } from "node:crypto";
import { VaultError, idempotencyKeyMaxLength, validationDetails } from "@cardvault/contract";
import { requireScopes } from "@cardvault/core";
import type { TokenPrincipal } from "@cardvault/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { canonicalJson } from "./body.ts";
import { entityTagOf, namesTag, nextPageLink } from "./conditions.ts";
import { errorBody, errorHeaders, restErrorOf } from "./errors.ts";
import { inputOf } from "./input.ts";
import type { Operation } from "./operations.ts";
import type { Reservation, RestOptions, StoredAnswer } from "./options.ts";
import { rawQueryOf } from "./query.ts";

const jsonType = "application/json; charset=utf-8";
/** Of the errors, what a repeat is answered with too; the others depend on the moment. */
const storedStatuses = new Set([404, 409, 412, 422]);

/** An answer as it is sent and as it is stored. */
function answerOf(operation: Operation, result: unknown): StoredAnswer {
  const { etag, successStatus, otherSuccess } = operation.meta;
  const tag = etag === true ? entityTagOf(result) : undefined;
  return {
    status: otherSuccess?.isOther(result) === true ? otherSuccess.status : (successStatus ?? 200),
    headers: tag === undefined ? {} : { etag: tag },
    body: JSON.stringify(result),
  };
}

function errorAnswer(error: VaultError, requestId: string): StoredAnswer {
  return {
    status: error.status,
    headers: errorHeaders(error),
    body: errorBody(error, requestId),
  };
}

function send(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  for (const name in answer.headers) reply.header(name, answer.headers[name]);
  return reply.code(answer.status).header("content-type", jsonType).send(answer.body);
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (
    typeof key === "string" &&
    /^[\x20-\x7e]+$/.test(key) &&
    key.length <= idempotencyKeyMaxLength
  ) {
    return key;
  }
  throw new VaultError("validation_failed", {
    details: [
      {
        path: "Idempotency-Key",
        message: `Must be 1 to ${idempotencyKeyMaxLength} printable ASCII characters`,
      },
    ],
  });
}

/** A key is not reserved for a request that does not even have the documented form. */
async function requireDocumentedForm(operation: Operation, input: unknown): Promise<void> {
  for (const schema of operation.inputs) {
    const { error } = await z.safeParseAsync(schema, input);
    if (error !== undefined) {
      throw new VaultError("validation_failed", {
        details: validationDetails(error),
        cause: error,
      });
    }
  }
}

/** Answers requests that were admitted, for one operation. */
export function createAnswerer<Tx, R extends Reservation>(
  operation: Operation,
  options: RestOptions<Tx, R>,
) {
  const { createContext, idempotency, clock, publicUrl } = options;
  const { name: path, type, call, meta } = operation;
  const isList = operation.method === "GET" && operation.queryFields.has("cursor");

  function run(
    request: FastifyRequest,
    principal: TokenPrincipal,
    input: unknown,
    recordAnswer?: (tx: Tx, result: unknown) => Promise<void>,
  ): Promise<unknown> {
    const ctx = createContext({
      principal,
      requestId: request.id,
      ifMatch: request.headers["if-match"],
      recordAnswer,
    });
    return call({
      ctx,
      path,
      type,
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    });
  }

  function addNextLink(request: FastifyRequest, reply: FastifyReply, result: unknown): void {
    const cursor = (result as { next_cursor?: unknown }).next_cursor;
    if (typeof cursor !== "string") return;
    const target = request.raw.url ?? "";
    const [plainPath = ""] = target.split("?");
    const link = nextPageLink(publicUrl, plainPath, rawQueryOf(target), cursor);
    const standing = reply.getHeader("link");
    reply.header("link", standing === undefined ? link : `${String(standing)}, ${link}`);
  }

  /** Reserve, change, store the answer with the change, and repeat it for whoever asks again. */
  async function answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    principal: TokenPrincipal,
    input: Record<string, unknown>,
    key: string,
  ): Promise<FastifyReply> {
    await requireDocumentedForm(operation, input);
    const [plainPath = ""] = (request.raw.url ?? "").split("?");
    const requestHash = createHash("sha256")
      .update(canonicalJson(request.body ?? {}))
      .digest();
    const { accountId } = principal;
    const { method } = operation;
    const outcome = await idempotency.reserve(
      { accountId, method, path: plainPath, key, requestHash },
      clock.now(),
    );
    if (outcome.kind === "stored") {
      return send(reply.header("idempotent-replayed", "true"), outcome.answer);
    }
    if (outcome.kind === "reused") throw new VaultError("idempotency_key_reused");
    if (outcome.kind === "running") {
      const { retryAfterSeconds } = outcome;
      throw new VaultError("idempotency_in_progress", { retryAfterSeconds });
    }
    const { reservation } = outcome;
    let recorded: StoredAnswer | undefined;
    let answer: StoredAnswer;
    try {
      const result = await run(request, principal, input, async (tx, committed) => {
        const answer =
          committed instanceof VaultError
            ? errorAnswer(committed, request.id)
            : answerOf(operation, committed);
        await idempotency.recordIn(tx, reservation, answer);
        recorded = answer;
      });
      answer = recorded ?? answerOf(operation, result);
      if (recorded === undefined) await idempotency.complete(reservation, answer);
    } catch (thrown) {
      const error = restErrorOf(thrown, operation);
      const isStored = storedStatuses.has(error.status) && !error.code.endsWith("_in_progress");
      // One that was recorded stands, unless its commit failed: then there is nothing to keep.
      if (isStored && recorded === undefined) {
        await idempotency.complete(reservation, errorAnswer(error, request.id));
      } else await idempotency.release(reservation);
      throw error;
    }
    return send(reply, answer);
  }

  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    principal: TokenPrincipal,
  ): Promise<FastifyReply> {
    requireScopes(principal.scopes, meta.scopes);
    const input = inputOf(operation, request);
    if (meta.scopesOfInput !== undefined) {
      requireScopes(principal.scopes, meta.scopesOfInput(input));
    }
    const key = meta.idempotent === true ? idempotencyKeyOf(request) : undefined;
    if (key !== undefined) return answerOnce(request, reply, principal, input, key);
    const result = await run(request, principal, input);
    if (isList) addNextLink(request, reply, result);
    const tag = meta.etag === true ? entityTagOf(result) : undefined;
    const known = request.headers["if-none-match"];
    if (tag !== undefined && known !== undefined && type === "query" && namesTag(known, tag)) {
      return reply.code(304).header("etag", tag).send();
    }
    return send(reply, answerOf(operation, result));
  };
}
