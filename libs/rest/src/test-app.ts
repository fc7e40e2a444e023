import { VaultError } from "@cardvault/contract";
import { createMemoryLimiter } from "@cardvault/core";
import type { DocumentedMeta, TokenPrincipal } from "@cardvault/core";
import { newId } from "@cardvault/kit";
import { initTRPC } from "@trpc/server";
import { fastify as createFastify } from "fastify";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { afterEach, beforeEach, expect } from "vitest";
import * as z from "zod";
import type { IdempotentRequest, RestCall, StoredAnswer } from "./options.ts";
import { registerRest } from "./register-rest.ts";
import { repairTarget } from "./target.ts";

interface Transaction {
  writes: (() => void)[];
}
type Context = RestCall<Transaction>;

export const start = Date.parse("2026-03-01T09:00:00.250Z");

/** What a test reads and sets; as new before each test. */
export const state = {
  now: start,
  runs: 0,
  fail: undefined as Error | undefined,
  isUnavailable: false,
  idempotency: memoryIdempotency(),
  app: undefined as unknown as FastifyInstance,
};

const t = initTRPC.context<Context>().meta<Partial<DocumentedMeta>>().create();
const thing = z.strictObject({ id: z.string(), name: z.string(), version: z.int() });

function documented(
  method: "GET" | "POST" | "PATCH",
  path: `/${string}`,
  more: Partial<DocumentedMeta> = {},
) {
  const limitClass = method === "GET" ? "read" : "write";
  return t.procedure.meta({ openapi: { method, path }, limitClass, scopes: [], ...more });
}

export const router = t.router({
  things: t.router({
    list: documented("GET", "/things", { scopes: ["cards:read"] })
      .input(
        z.strictObject({
          limit: z.number().int().min(1).max(200).default(50),
          status: z.array(z.enum(["open", "closed"])).optional(),
          flag: z.boolean().optional(),
          q: z.string().max(10).optional(),
          cursor: z.string().optional(),
        }),
      )
      .output(z.object({ input: z.unknown(), next_cursor: z.string().nullable() }))
      .query(({ input }) => ({
        input,
        next_cursor: input.cursor === undefined ? "next page" : null,
      })),
    get: documented("GET", "/things/{id}", { etag: true, notFoundCode: "card_not_found" })
      .input(z.strictObject({ id: z.string() }))
      .output(thing)
      .query(({ input }) => {
        if (state.fail !== undefined) throw state.fail;
        if (input.id !== "one") throw new VaultError("card_not_found");
        return { id: "one", name: "One", version: 3 };
      }),
    change: documented("PATCH", "/things/{id}", { etag: true, idempotent: true })
      .input(
        z.strictObject({
          id: z.string(),
          name: z.string().max(20).optional(),
          price: z.number().nullable().optional(),
        }),
      )
      .output(thing.extend({ price: z.unknown() }))
      .mutation(async ({ ctx, input }) => {
        state.runs += 1;
        if (ctx.ifMatch !== undefined && ctx.ifMatch !== '"3"') {
          throw new VaultError("precondition_failed");
        }
        if (state.fail !== undefined) throw state.fail;
        const result = {
          id: input.id,
          name: input.name ?? "One",
          version: state.runs,
          price: input.price,
        };
        const tx: Transaction = { writes: [] };
        await ctx.recordAnswer?.(tx, result);
        for (const write of tx.writes) write();
        return result;
      }),
  }),
  hidden: t.procedure.query(() => "not reachable"),
});

export const principal: TokenPrincipal = {
  kind: "token",
  accountId: "acc_1",
  environment: "live",
  currency: "USD",
  keyId: "key_1",
  scopes: ["cards:read"],
  limits: {},
};

/** Keeps answers as the database does, without its transactions. */
function memoryIdempotency() {
  const records = new Map<string, { hash: string; owner: string; answer?: StoredAnswer }>();
  const idOf = (request: IdempotentRequest): string =>
    [request.accountId, request.method, request.path, request.key].join(" ");
  return {
    records,
    async reserve(request: IdempotentRequest) {
      const known = records.get(idOf(request));
      const hash = request.requestHash.toString("hex");
      if (known === undefined) {
        const reservation = { id: idOf(request), owner: newId("req") };
        records.set(reservation.id, { hash, owner: reservation.owner });
        return { kind: "reserved" as const, reservation };
      }
      if (known.hash !== hash) return { kind: "reused" as const };
      if (known.answer === undefined) return { kind: "running" as const, retryAfterSeconds: 7 };
      return { kind: "stored" as const, answer: known.answer };
    },
    async recordIn(tx: Transaction, { id }: { id: string }, answer: StoredAnswer) {
      tx.writes.push(() => Object.assign(records.get(id) ?? {}, { answer }));
    },
    async complete({ id }: { id: string }, answer: StoredAnswer) {
      Object.assign(records.get(id) ?? {}, { answer });
    },
    async release({ id }: { id: string }) {
      records.delete(id);
    },
  };
}

export function build(
  more: Partial<
    Parameters<typeof registerRest<Transaction, { id: string; owner: string }>>[1]
  > = {},
) {
  const instance = createFastify({
    genReqId: () => newId("req"),
    rewriteUrl: (request) => repairTarget(request.url ?? "/"),
    routerOptions: { maxParamLength: 16_384 },
  });
  registerRest<Transaction, { id: string; owner: string }>(instance, {
    router,
    authenticate: async (authorization) => {
      if (authorization === undefined) throw new VaultError("missing_token");
      if (authorization === "Bearer narrow") return { ...principal, keyId: "key_2", scopes: [] };
      if (authorization !== "Bearer good") throw new VaultError("invalid_token");
      return principal;
    },
    createContext: (call) => call,
    clock: { now: () => new Date(state.now) },
    limiter: createMemoryLimiter(),
    addressLimiter: createMemoryLimiter(),
    idempotency: state.idempotency,
    publicUrl: "https://vault.example",
    isUnavailable: () => state.isUnavailable,
    ...more,
  });
  return instance;
}

/** Puts another service in the place of the present one. */
export async function rebuild(more: Parameters<typeof build>[0]): Promise<void> {
  await state.app.close();
  state.app = build(more);
}

/** Registers the hooks that give every test of a file a service of its own. */
export function useTestApp(): void {
  beforeEach(() => {
    Object.assign(state, {
      now: start,
      runs: 0,
      fail: undefined,
      isUnavailable: false,
      idempotency: memoryIdempotency(),
    });
    state.app = build();
  });
  afterEach(() => state.app.close());
}

export function call(
  method: string,
  url: string,
  { headers = {}, ...more }: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return state.app.inject({
    method: method as "GET",
    url,
    headers: { authorization: "Bearer good", ...headers },
    ...more,
  });
}

export function expectError(response: LightMyRequestResponse, status: number, code: string): void {
  expect({ status: response.statusCode, body: response.json() }).toMatchObject({
    status,
    body: { error: { code, status, message: expect.any(String) as string } },
  });
  const { request_id: requestId } = response.json<{ error: { request_id: string } }>().error;
  expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
  expect(response.headers["x-request-id"]).toBe(requestId);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
}

export const detailsOf = (response: LightMyRequestResponse): unknown =>
  response.json<{ error: { details: unknown } }>().error.details;
