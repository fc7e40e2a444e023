import { answerConsent, sessionPrincipal } from "@cardvault/core";
import type { Services } from "@cardvault/core";
import type { FastifyInstance } from "fastify";
import { headersOf } from "./web-headers.ts";

/**
 * Where the marketplace's consent page leads back to. It is a page's visit from another site, so it has no
 * `Origin` of ours: what lets it change something is the state, which only the session that asked can answer.
 * What became of it is told by the page that the browser is sent on to.
 */
export function registerMarketplaceConsent(scope: FastifyInstance, services: Services): void {
  scope.get("/auth/marketplace/callback", async (request, reply) => {
    const person = await sessionPrincipal(services, headersOf(request), undefined);
    const query = request.query as Record<string, unknown>;
    const outcome = await answerConsent(services, person, query);
    return reply
      .header("cache-control", "no-store")
      .header("referrer-policy", "no-referrer")
      .redirect(`/settings/marketplace?outcome=${outcome}`, 303);
  });
}
