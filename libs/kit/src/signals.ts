import { channel } from "node:diagnostics_channel";

/** What happens in this process, told to whoever counts it. Costs nothing where nobody does. */
export interface Signal<Message> {
  publish(message: Message): void;
  subscribe(take: (message: Message) => void): void;
}

function signal<Message>(name: string): Signal<Message> {
  const told = channel(name);
  return {
    publish: (message) => {
      if (told.hasSubscribers) told.publish(message);
    },
    subscribe: (take) => told.subscribe((message) => take(message as Message)),
  };
}

/** Events of one change, after its commit: their names in the order of their steps. */
export const eventsCommitted = signal<readonly string[]>("cardvault.events.committed");

/** A run of a job has ended: one chunk of it, or all. */
export const jobRan = signal<{
  readonly kind: string;
  readonly outcome: "done" | "chunk" | "failed" | "thrown";
  readonly durationMs: number;
}>("cardvault.job.ran");

/** A call of a third party has ended; `code` is null where it answered. */
export const providerCalled = signal<{
  readonly provider: string;
  readonly code: string | null;
  readonly durationMs: number;
}>("cardvault.provider.called");
