import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import underPressure from "@fastify/under-pressure";
import { VaultError } from "@cardvault/contract";
import { appRouter, authenticateToken } from "@cardvault/core";
import type { Limiter, Services } from "@cardvault/core";
import { createIdempotencyStore } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import {
  errorBody,
  openApiDocument,
  registerDocs,
  registerGuides,
  registerRest,
  repairTarget,
} from "@cardvault/rest";
import type { VersionOneEnd } from "@cardvault/rest";
import { LogController, fastify as createFastify } from "fastify";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { registerAuth } from "./auth.ts";
import { limitBodies } from "./body-deadline.ts";
import { Drain } from "./drain.ts";
import { registerLists } from "./lists.ts";
import { registerLabels } from "./labels.ts";
import { registerMarketplaceConsent } from "./marketplace-consent.ts";
import { countLive, recordRequests } from "./metrics.ts";
import type { Metrics } from "./metrics.ts";
import { registerOps } from "./ops.ts";
import { registerPhotoUploads } from "./photo-uploads.ts";
import { registerPhotos } from "./photos.ts";
import { followRequests } from "./requests.ts";
import { plainHeaders, protectAnswers, protectPages } from "./security-headers.ts";
import { registerTrpc } from "./trpc.ts";
import { registerWeb } from "./web.ts";

/** Longer than any answer takes that is worth waiting for. */
const requestTimeoutMs = 30_000;
/** For files on a slow line. */
const uploadTimeoutMs = 10 * 60_000;
/** Above the idle time of common load balancers, so that they close first. */
const keepAliveTimeoutMs = 72_000;
/** A path may hold an id of any length, and tRPC batches name many procedures: both are bounded by the header size. */
const maxParamLength = 16_384;
const maxEventLoopDelayMs = 1_000;

export interface AppOptions {
  services: Services;
  /** Windows of tokens and of signed-in people. */
  limiter: Limiter;
  /** Windows of client addresses. */
  addressLimiter: Limiter;
  trustProxy: false | number | string[];
  /** The built web app; without one its pages answer 404. */
  webFolder?: string | undefined;
  metrics?: Metrics | undefined;
  versionOneEnd?: VersionOneEnd | undefined;
  /** Begun before the app is closed, where somebody else has to notice first. */
  drain?: Drain | undefined;
}

/**
 * The API process as one Fastify instance that does not listen yet: REST at the root, and beside it,
 * each in a scope of its own, tRPC, sign-in, pictures, the web app and the probes.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { services, metrics } = options;
  const { config, clock, logger } = services;
  const loggerInstance: FastifyBaseLogger = logger;

  const fastify = createFastify({
    loggerInstance,
    // One line for each request would cost more than most requests do; errors are logged where they arise.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId("req"),
    // The id of the request stands in every line that is written for it, whoever writes it.
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    bodyLimit: 64 * 1024,
    requestTimeout: uploadTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    trustProxy: trustedProxies(options.trustProxy),
    rewriteUrl: (request) => repairTarget(request.url ?? "/"),
    routerOptions: { maxParamLength },
    // What still comes on an open connection while it closes is answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: answerBrokenRequests(plainHeaders(config)),
  });
  const { drain = new Drain() } = options;
  drain.register(fastify);
  protectAnswers(fastify, config);
  limitBodies(fastify, requestTimeoutMs);
  fastify.addHook("preClose", async () => {
    // They would last for ever: who has one is told to come again, and finds another process.
    await services.live.close();
  });
  await fastify.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // Only measures: the answer is given where the limits have been counted.
    pressureHandler: () => undefined,
  });
  const isUnavailable = (): boolean => fastify.isUnderPressure();
  const isNotReady = (): boolean => drain.hasBegun || isUnavailable();

  followRequests(fastify, appRouter);
  if (metrics !== undefined) {
    recordRequests(fastify, metrics);
    countLive(metrics, services.live);
  }
  registerRest(fastify, {
    router: appRouter,
    authenticate: (authorization) => authenticateToken(services, authorization, clock.now()),
    createContext: (call) => ({ services, ...call }),
    clock,
    limiter: options.limiter,
    addressLimiter: options.addressLimiter,
    idempotency: createIdempotencyStore(services.db),
    publicUrl: config.publicUrl,
    isUnavailable,
    versionOneEnd: options.versionOneEnd,
  });
  const scopeOptions = { ...options, isUnavailable };
  void fastify.register(async (scope) => registerTrpc(scope, scopeOptions), { prefix: "/trpc" });
  void fastify.register(async (scope) => registerLists(scope, scopeOptions), {
    prefix: "/trpc/files",
  });
  void fastify.register(async (scope) => registerLabels(scope, scopeOptions));
  void fastify.register(async (scope) => registerAuth(scope, services));
  void fastify.register(async (scope) => registerMarketplaceConsent(scope, services));
  void fastify.register(async (scope) => registerPhotos(scope, services));
  void fastify.register(async (scope) => registerPhotoUploads(scope, scopeOptions));
  void fastify.register(async (scope) => registerOps(scope, services, isNotReady));
  void fastify.register(async (scope) => {
    await protectPages(scope);
    const described = { router: appRouter, publicUrl: config.publicUrl };
    registerDocs(scope, openApiDocument(described));
    registerGuides(scope, described);
    if (options.webFolder !== undefined) await registerWeb(scope, options.webFolder);
  });
  return fastify;
}

/** A number counts the proxies from our side, as `X-Forwarded-For` lists them. */
function trustedProxies(
  given: false | number | string[],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof given === "number" ? (_address, hop) => hop < given : given;
}

/** What never became a request: bytes that are no HTTP, headers without an end. */
function answerBrokenRequests(headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const body = errorBody(
      new VaultError("validation_failed", { message: "The request is not valid HTTP." }),
      newId("req"),
    );
    socket.end(
      `HTTP/1.1 400 ${STATUS_CODES[400]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}
