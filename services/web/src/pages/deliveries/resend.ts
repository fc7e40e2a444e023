import type { RedeliverMany } from "@cardvault/contract";
import { maxRedelivered } from "@cardvault/contract";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { problemOf } from "../../app/problem.ts";
import { refreshDeliveries } from "../../app/refresh.ts";
import { trpcClient } from "../../app/trpc.ts";
import { counted, lastAnswerWords } from "../../parts/words.ts";

const watchEveryMs = 600;
const watchForMs = 15_000;

export interface Resendable {
  event_id: string;
  endpoint_id: string;
}

interface Progress {
  done: number;
  of: number;
}

/** Sends events again: one with its outcome, many with what was refused and why. */
export function useResend() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function busy(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      notifications.show({ color: "red", message: problemOf(error).message });
    } finally {
      setIsBusy(false);
      setProgress(null);
      await refreshDeliveries();
    }
  }

  return {
    progress,
    isBusy,
    one: (row: Resendable) =>
      busy(async () => {
        const { id } = await trpcClient.events.redeliver.mutate({
          event_id: row.event_id,
          endpoint_id: row.endpoint_id,
        });
        void tellOutcome(id);
      }),
    many: (deliveryIds: readonly string[]) => busy(() => sendMany(deliveryIds, setProgress)),
    /** Of a list that is longer than one call takes, and longer than the page shows. */
    all: (idsOf: () => Promise<readonly string[]>) =>
      busy(async () => sendMany(await idsOf(), setProgress)),
  };
}

async function sendMany(
  deliveryIds: readonly string[],
  onProgress: (progress: Progress) => void,
): Promise<void> {
  let sent = 0;
  const refused: RedeliverMany["refused"] = [];
  for (let start = 0; start < deliveryIds.length; start += maxRedelivered) {
    onProgress({ done: start, of: deliveryIds.length });
    const answer = await trpcClient.events.redeliverMany.mutate({
      delivery_ids: deliveryIds.slice(start, start + maxRedelivered),
    });
    sent += answer.redelivered.length;
    refused.push(...answer.refused);
  }
  const [first] = refused;
  notifications.show(
    first === undefined
      ? { message: `${counted(sent, "event")} on the way again.` }
      : {
          color: "red",
          autoClose: false,
          message: `${counted(sent, "event")} on the way again, ${refused.length.toLocaleString()} not: ${first.message}`,
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
