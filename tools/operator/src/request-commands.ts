import { readRequestEffects } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Command } from "commander";
import { UsageError } from "./connection.ts";
import type { Desk } from "./desk.ts";

export function addRequestCommands(program: Command, desk: Desk): void {
  program
    .command("request")
    .description("what a customer names when something went wrong")
    .command("show <request>")
    .description("the jobs, events and delivery attempts that a request has caused")
    .action((requestId: string) =>
      desk.run(async ({ services }) => {
        if (!isId("req", requestId)) {
          throw new UsageError("A request's id looks like req_01h455vb4pex5vsknk084sn02q.");
        }
        const found = await readRequestEffects(services.db, requestId, services.clock.now());
        desk.say(`request  ${requestId}  ${found.at.toISOString()}`);
        const traces = new Set(
          [...found.jobs, ...found.events].flatMap(({ traceparent }) => traceparent ?? []),
        );
        for (const trace of new Set([...traces].map((one) => one.split("-")[1]))) {
          desk.say(`trace  ${trace}`);
        }
        for (const job of found.jobs) desk.say(`job  ${job.id}  ${job.kind}  ${job.status}`);
        for (const event of found.events) {
          const { id, accountId, type, createdAt } = event;
          desk.say(`event  ${id}  ${accountId}  ${type}  ${createdAt.toISOString()}`);
          for (const { attempts, ...delivery } of event.deliveries) {
            const { endpointId, generation, status } = delivery;
            desk.say(
              `  delivery  ${delivery.id}  ${endpointId}  generation ${generation}  ${status}`,
            );
            for (const { number, startedAt, statusCode, errorCode } of attempts) {
              const came = statusCode ?? errorCode ?? "";
              desk.say(`    attempt ${number}  ${startedAt.toISOString()}  ${came}`);
            }
          }
        }
        if (found.hasMore) desk.say("…");
        if (found.jobs.length === 0 && found.events.length === 0) {
          desk.say("It has caused no job and no event, or retention has removed them.");
        }
      }),
    );
}
