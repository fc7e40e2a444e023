/** Thrown by a run to be run again; Agenda's backoff reads it. No failure, and never logged as one. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
  readonly delayMs: number;

  constructor(delayMs: number) {
    super("Not now.");
    this.delayMs = Math.max(0, Math.ceil(delayMs));
  }
}

const unexpectedMs = 5_000;

/** When a run that threw is run again. Never null: a job that is given up would lie dead in the queue. */
export function delayAfter({ error }: { error: unknown }): number {
  return error instanceof RunAgain ? error.delayMs : unexpectedMs;
}
