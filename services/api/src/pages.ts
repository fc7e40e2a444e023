import helmet from "@fastify/helmet";
import type { CoreConfig } from "@cardvault/core";
import type { FastifyInstance } from "fastify";

/** Where the public card lists keep the pictures of candidates. */
const catalogueHosts = ["https://assets.tcgdex.net", "https://cards.scryfall.io"];

/**
 * The security headers of pages. Scripts come from files of our own alone; styles may stand in the
 * page, because the component library and the API reference write them there.
 */
export async function protectPages(scope: FastifyInstance, config: CoreConfig): Promise<void> {
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
    strictTransportSecurity: config.isPlainHttp ? false : { maxAge: 31_536_000 },
    referrerPolicy: { policy: "no-referrer" },
  });
}
