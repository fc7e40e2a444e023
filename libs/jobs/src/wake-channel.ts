import { BaseNotificationChannel, toJobId } from "agenda";
import type { JobNotification } from "agenda";

/**
 * Wakes Agenda within this process when jobs were put into a lane, so that it need not wait for its
 * tick. While a lane is being filled further calls for it become one: Agenda would begin a claim for
 * each. Other processes find the jobs by their own tick.
 */
export class WakeChannel extends BaseNotificationChannel {
  readonly #busy = new Map<string, { again: boolean }>();

  connect(): Promise<void> {
    this.setState("connected");
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    this.handlers.clear();
    this.setState("disconnected");
    return Promise.resolve();
  }

  /** Agenda tells of its own jobs here. All of ours are told by `wake`. */
  publish(_notification: JobNotification): Promise<void> {
    return Promise.resolve();
  }

  wake(lane: string): void {
    const busy = this.#busy.get(lane);
    if (busy !== undefined) {
      busy.again = true;
      return;
    }
    void this.#fill(lane);
  }

  async #fill(lane: string): Promise<void> {
    const state = { again: true };
    this.#busy.set(lane, state);
    while (state.again) {
      state.again = false;
      await this.notifyHandlers({
        jobId: toJobId(""),
        jobName: lane,
        nextRunAt: null,
        priority: 0,
        timestamp: new Date(),
      });
    }
    this.#busy.delete(lane);
  }
}
