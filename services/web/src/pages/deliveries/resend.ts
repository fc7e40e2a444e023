import type { RedeliverDropped, RedeliverMany } from "@cardvault/contract";
import { maxRedelivered } from "@cardvault/contract";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { refreshDeliveries } from "../../app/refresh.ts";
import { trpcClient } from "../../app/trpc.ts";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { counted, lastAnswerWords } from "../../parts/words.ts";

const watchEveryMs = 600;
const watchForMs = 15_000;

export interface Resendable {
  event_id: string;
  endpoint_id: string;
}

/** Sends events again: one with its outcome, some with what was refused and why, many as a job that outlives the page. */
export function useResend() {
  const [isBusy, setIsBusy] = useState(false);

  async function busy(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      tellProblem(error, { title: "Not sent again", retry: () => void busy(work) });
    } finally {
      setIsBusy(false);
      await refreshDeliveries();
    }
  }
  const asJob = (which: RedeliverDropped): Promise<void> =>
    busy(async () => followJob(await trpcClient.events.redeliverDropped.mutate(which)));

  return {
    isBusy,
    one: (row: Resendable) =>
      busy(async () => {
        const { id } = await trpcClient.events.redeliver.mutate({
          event_id: row.event_id,
          endpoint_id: row.endpoint_id,
        });
        void tellOutcome(id);
      }),
    /** @param deliveryIds at most {@link maxRedelivered} */
    some: (deliveryIds: readonly string[]) => busy(() => sendSome(deliveryIds)),
    /** Of those that were dropped any number. */
    dropped: (deliveryIds: readonly string[]) =>
      deliveryIds.length <= maxRedelivered
        ? busy(() => sendSome(deliveryIds))
        : asJob({ delivery_ids: [...deliveryIds] }),
    allDropped: (endpointId: string) => asJob({ endpoint_id: endpointId }),
  };
}

async function sendSome(deliveryIds: readonly string[]): Promise<void> {
  const { redelivered, refused }: RedeliverMany = await trpcClient.events.redeliverMany.mutate({
    delivery_ids: [...deliveryIds],
  });
  const sent = counted(redelivered.length, "event");
  const [first] = refused;
  notifications.show(
    first === undefined
      ? { message: `${sent} on the way again.` }
      : {
          color: "red",
          autoClose: false,
          message: `${sent} on the way again, ${refused.length.toLocaleString()} not: ${first.message}`,
        },
  );
}

/** Follows one delivery for a few seconds, and says how its attempt ended. */
async function tellOutcome(deliveryId: string): Promise<void> {
  const note = notifications.show({
    loading: true,
    autoClose: false,
    message: "On the way again…",
  });
  const { color, message } = await outcomeOf(deliveryId);
  notifications.update({ id: note, loading: false, autoClose: 8_000, color, message });
  await refreshDeliveries();
}

async function outcomeOf(deliveryId: string): Promise<{ color: string; message: string }> {
  const until = Date.now() + watchForMs;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, watchEveryMs));
    // A look that fails says nothing about the delivery; the next one may not.
    const detail = await trpcClient.webhooks.deliveries.get
      .query({ id: deliveryId })
      .catch(() => null);
    const attempt = detail?.attempts.at(-1);
    if (attempt === undefined) continue;
    const answer = lastAnswerWords(attempt.status_code, attempt.error);
    return attempt.delivered
      ? { color: "green", message: `Delivered: ${answer} in ${attempt.total_ms} ms.` }
      : { color: "red", message: `Not delivered: ${answer}. It is tried again as always.` };
  }
  return { color: "blue", message: "On its way; its first attempt has not ended yet." };
}
