import {
  endpointTestAnswer,
  endpointTestInput,
  testEventLimit,
  VaultError,
} from "@cardvault/contract";
import type { EndpointTest, EventType } from "@cardvault/contract";
import { findEndpoint } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { sealedSecretsOf } from "./endpoint-answer.ts";
import { sampleEvent } from "./sample-event.ts";

/**
 * Sends an event that never happened, once, and answers what came back. It is written nowhere.
 * @throws VaultError `not_found`; `rate_limit_exceeded` for more than ten a minute in an account;
 * `service_unavailable` in a process that cannot send.
 */
async function testEndpoint(
  { db, clock, limiter, sendTestEvent }: Services,
  { accountId, environment, currency }: Access,
  input: { id: string; event: EventType },
): Promise<EndpointTest> {
  const endpoint = isId("whe", input.id) ? await findEndpoint(db, accountId, input.id) : null;
  if (endpoint === null) throw new VaultError("not_found");
  if (sendTestEvent === undefined) throw new VaultError("service_unavailable");
  const now = clock.now();
  const taken = await limiter.take({ key: `test:${accountId}`, limit: testEventLimit, now });
  if (!taken.allowed) {
    throw new VaultError("rate_limit_exceeded", { retryAfterSeconds: taken.retryAfterSeconds });
  }
  const event = sampleEvent(input.event, { accountId, currency }, now);
  const body = JSON.stringify(event);
  const outcome = await sendTestEvent({
    eventId: event.id,
    endpointId: endpoint.id,
    environment,
    url: endpoint.url,
    body,
    secrets: sealedSecretsOf(endpoint, now),
  });
  const { statusCode, timings } = outcome;
  return {
    started_at: outcome.startedAt.toISOString(),
    delivered: statusCode !== null && statusCode >= 200 && statusCode <= 299,
    status_code: statusCode,
    error: outcome.errorCode,
    dns_ms: whole(timings.dnsMs),
    connect_ms: whole(timings.connectMs),
    tls_ms: whole(timings.tlsMs),
    first_byte_ms: whole(timings.firstByteMs),
    total_ms: Math.round(timings.totalMs),
    response_headers: outcome.responseHeaders,
    response_body: outcome.responseBody?.toString("utf8") ?? null,
    response_truncated: outcome.responseTruncated,
    request: { url: endpoint.url, headers: outcome.requestHeaders, body },
  };
}

function whole(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds);
}

export const testEndpointProcedure = session("owner")
  .input(endpointTestInput)
  .output(endpointTestAnswer)
  .mutation(({ ctx, input }) => testEndpoint(ctx.services, ctx.access, input));
