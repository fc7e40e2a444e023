import { eventTypes, maxPageSize, recoverScopes, requestTime } from "@cardvault/contract";
import type { EventType, RecoverScope } from "@cardvault/contract";
import {
  createEndpoint,
  operatorAccess,
  readDropped,
  readEndpointHealth,
  recoverEndpoint,
  redeliverEvent,
  updateEndpoint,
} from "@cardvault/core";
import { listEndpoints, readJob } from "@cardvault/db";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { isId } from "@cardvault/kit";
import { UsageError } from "./connection.ts";
import type { Desk } from "./desk.ts";

export function addEventCommands(program: Command, desk: Desk): void {
  const endpoint = program.command("endpoint").description("webhook endpoints, registered by hand");

  endpoint
    .command("create <account> <url>")
    .description("register a receiver; its signing secret is shown here and never again")
    .option("--description <text>")
    .addOption(
      new Option("--events <event...>", "all unless told")
        .choices([...eventTypes])
        .default([...eventTypes]),
    )
    .action((id: string, url: string, options: { description?: string; events: EventType[] }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const made = await createEndpoint(services, access, { url, ...options });
        desk.say(`endpoint  ${made.endpoint.id}  ${made.endpoint.url}`);
        desk.say(`secret    ${made.secret}`);
      }),
    );

  endpoint
    .command("list <account>")
    .description("the account's endpoints and how they fare, the first made first")
    .action((id: string) =>
      desk.run(async ({ services, actor }) => {
        const { accountId } = await operatorAccess(services.db, id, actor.id);
        const endpoints = await listEndpoints(services.db, accountId);
        const health = await readEndpointHealth(services.db, accountId);
        const urlOf = new Map(endpoints.map((one) => [one.id, one.url]));
        for (const one of health) {
          const facts = [
            `undelivered ${one.undelivered}`,
            `dropped ${one.dropped}`,
            one.failing_since === null ? [] : `failing since ${one.failing_since}`,
            one.recovery_job_id === null ? [] : `recovering ${one.recovery_job_id}`,
          ].flat();
          desk.say([one.endpoint_id, one.state, ...facts, urlOf.get(one.endpoint_id)].join("  "));
        }
      }),
    );

  for (const [name, enabled, what] of [
    ["enable", true, "send to an endpoint again; what failed before counts no more"],
    ["disable", false, "send nothing more to an endpoint; what is undelivered is dropped, visibly"],
  ] as const) {
    endpoint
      .command(`${name} <account> <endpoint>`)
      .description(what)
      .action((id: string, endpointId: string) =>
        desk.run(async ({ services, actor }) => {
          const access = await operatorAccess(services.db, id, actor.id);
          const { url } = await updateEndpoint(services, access, { id: endpointId, enabled });
          desk.say(`${name}d  ${endpointId}  ${url}`);
        }),
      );
  }

  endpoint
    .command("recover <account> <endpoint>")
    .description("send every event since a moment again, as a background job of the worker")
    .requiredOption("--since <time>", "RFC 3339, like 2026-03-01T09:30:00Z", parseTime)
    .addOption(
      new Option("--include <scope>", "failed, or also what was never sent to it")
        .choices([...recoverScopes])
        .default("failed"),
    )
    .action((id: string, endpointId: string, options: { since: string; include: RecoverScope }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const job = await recoverEndpoint(services, access, { id: endpointId, ...options });
        desk.say(`job  ${job.id}  follow it with: operator job show ${job.id}`);
      }),
    );

  program
    .command("job")
    .description("background work")
    .command("show <job>")
    .description("how far a job is")
    .action((jobId: string) =>
      desk.run(async ({ services }) => {
        const job = isId("job", jobId) ? await readJob(services.db, jobId) : undefined;
        if (job === undefined) throw new UsageError("There is no job with this id.");
        desk.say([job.id, job.kind, job.status, JSON.stringify(job.progress)].join("  "));
        if (job.error !== null) desk.say(`${job.error.code}: ${job.error.message}`);
      }),
    );

  const events = program.command("events").description("dropped events, and work that is overdue");

  events
    .command("dropped <account>")
    .description("what was dropped and not dismissed, the latest first")
    .action((id: string) =>
      desk.run(async ({ services, actor }) => {
        const { accountId } = await operatorAccess(services.db, id, actor.id);
        let cursor: string | undefined;
        do {
          const page = await readDropped(services.db, accountId, { limit: maxPageSize, cursor });
          for (const one of page.data) {
            const { event_id, endpoint_id, event, reason, dropped_at } = one;
            desk.say([dropped_at, event_id, endpoint_id, event, reason].join("  "));
          }
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
      }),
    );

  events
    .command("redeliver <account> <event> <endpoint>")
    .description("send an event to an endpoint once more: the same id and bytes")
    .action((id: string, eventId: string, endpointId: string) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const input = { event_id: eventId, endpoint_id: endpointId };
        const made = await redeliverEvent(services, access, input);
        desk.say(`delivery  ${made.id}  generation ${made.generation}  ${made.endpoint_url}`);
      }),
    );

  events
    .command("enqueue-overdue")
    .description("put deliveries and jobs that are overdue back into the queue")
    .action(() =>
      desk.run(async ({ enqueueOverdue }) => {
        desk.say(`put back  ${await enqueueOverdue()}`);
      }),
    );
}

function parseTime(text: string): string {
  if (requestTime.safeParse(text).success) return text;
  throw new InvalidArgumentError("It has to be a time like 2026-03-01T09:30:00Z.");
}
