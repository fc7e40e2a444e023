import helmet from "@fastify/helmet";
import type { CoreConfig } from "@cardvault/core";
import type { FastifyInstance } from "fastify";

const transportSecurity = "max-age=31536000; includeSubDomains";

/**
 * What stands on every answer that is no page: a browser that is led to one shows it as what it says it is, runs
 * nothing in it, puts it into nobody's frame, and tells nobody where it was. Pages have a policy of their own.
 */
export function plainHeaders({
  isPlainHttp,
}: Pick<CoreConfig, "isPlainHttp">): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none';frame-ancestors 'none';sandbox",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    ...(isPlainHttp ? {} : { "strict-transport-security": transportSecurity }),
  };
}

/** Call it on the root before any route: what a scope or a route sets afterwards wins. */
export function protectAnswers(fastify: FastifyInstance, config: CoreConfig): void {
  const headers = Object.entries(plainHeaders(config));
  fastify.addHook("onRequest", (_request, { raw }, done) => {
    // Where the pages' own are set too: Fastify's would stand above those.
    for (const [name, value] of headers) raw.setHeader(name, value);
    done();
  });
}

/** Where the public card lists keep the pictures of candidates. */
const catalogueHosts = ["https://assets.tcgdex.net", "https://cards.scryfall.io"];

/**
 * The security headers of pages. Scripts come from files of our own alone; styles may stand in the
 * page, because the component library and the API reference write them there.
 */
export async function protectPages(scope: FastifyInstance): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:", ...catalogueHosts],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: "deny" },
    // It stands on every answer: two of a host that differ would undo each other.
    strictTransportSecurity: false,
    referrerPolicy: { policy: "no-referrer" },
  });
}
