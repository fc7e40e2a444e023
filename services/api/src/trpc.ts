import { VaultError, accountHeader, addressRequestLimit } from "@cardvault/contract";
import { appRouter, errorOf, foreignOrigin, sessionPrincipal, trpcCodeOf } from "@cardvault/core";
import type { AppRouter, Context, Limiter, Services } from "@cardvault/core";
import { addressKey, errorHeaders, isTurnedAway } from "@cardvault/rest";
import { TRPCError } from "@trpc/server";
import { fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import type {
  CreateFastifyContextOptions,
  FastifyTRPCPluginOptions,
} from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { headersOf } from "./web-headers.ts";

/** A dealer who reviews a card a second must not meet the 20 a minute of a token. */
const personRequestLimit = 1_200;
/** Five thousand rows of a spreadsheet come at once; pictures go another way. */
const maxBodyBytes = 2 * 1024 * 1024;
const maxBatchSize = 20;
const jsonType = /^application\/json\s*(?:;|$)/iu;

type CallInfo = Pick<CreateFastifyContextOptions["info"], "connectionParams">;

export interface TrpcOptions {
  services: Services;
  limiter: Limiter;
  addressLimiter: Limiter;
  isUnavailable: () => boolean;
}

/** The procedures of the web interface, for sessions alone: bearer tokens are not looked at here. */
export function registerTrpc(scope: FastifyInstance, options: TrpcOptions): void {
  scope.addHook("onRoute", (route) => {
    route.bodyLimit = maxBodyBytes;
  });
  scope.addHook("onRequest", async ({ headers }) => {
    // A form is what another site can send without being asked; no procedure takes one.
    const type = headers["content-type"];
    if (type !== undefined && !jsonType.test(type)) throw new VaultError("unsupported_media_type");
  });
  const pluginOptions: FastifyTRPCPluginOptions<AppRouter> = {
    trpcOptions: {
      router: appRouter,
      maxBatchSize,
      createContext: ({ req, res, info }) => contextOf(options, req, res, info),
      onError({ error, path, req }) {
        const answered = errorOf(error);
        // A client's mistake is no fault of ours, and its parser quotes what it was sent.
        if (answered.status < 500) return;
        const { id: requestId, log } = req;
        if (isTurnedAway(answered)) {
          // Live connections too, which are told to come again where the process ends.
          log.info({ procedure: path, requestId }, "A procedure was turned away");
          return;
        }
        log.error(
          { err: answered.cause ?? error, procedure: path, requestId },
          "A procedure failed",
        );
      },
    },
  };
  void scope.register(fastifyTRPCPlugin, pluginOptions);
}

async function contextOf(
  options: TrpcOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { connectionParams }: CallInfo,
): Promise<Context> {
  void reply.header("cache-control", "no-store");
  try {
    return await checkedContext(options, request, connectionParams);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const { "www-authenticate": _, ...headers } = errorHeaders(error);
    void reply.headers(headers);
    throw new TRPCError({ code: trpcCodeOf(error.status), message: error.message, cause: error });
  }
}

/** Who asks, after all that is checked of a session's request before its procedure. */
export async function checkedContext(
  options: TrpcOptions,
  request: FastifyRequest,
  connectionParams: CallInfo["connectionParams"] = null,
): Promise<Context> {
  const { services, limiter, addressLimiter } = options;
  const { config, clock } = services;
  // A form of another site is sent with the cookie; only a browser on our own pages sends our origin.
  if (request.method !== "GET" && request.headers.origin !== config.publicUrl)
    throw foreignOrigin();
  if (options.isUnavailable()) throw new VaultError("service_unavailable");
  // A browser sends no headers of its own with a subscription: there the address names the account.
  const named = request.headers[accountHeader.toLowerCase()] ?? connectionParams?.[accountHeader];
  const accountId = typeof named === "string" ? named : undefined;
  const principal = await sessionPrincipal(services, headersOf(request), accountId);
  const now = clock.now();
  const taken =
    principal === null
      ? await addressLimiter.take({
          key: `web:${addressKey(request.ip)}`,
          limit: addressRequestLimit,
          now,
        })
      : await limiter.take({ key: `user:${principal.userId}`, limit: personRequestLimit, now });
  if (!taken.allowed) {
    const { retryAfterSeconds } = taken;
    throw new VaultError("rate_limit_exceeded", { retryAfterSeconds });
  }
  return {
    services,
    principal,
    requestId: request.id,
    // Of all calls that are sent together; the pages send one with a version alone.
    ifMatch: request.headers["if-match"],
    recheck: () => sessionPrincipal(services, headersOf(request), accountId),
  };
}
