import type { SlotShare } from "./slot-share.ts";

interface Endpoint {
  inFlight: number;
  /** Deliveries put off since a slot was last free. */
  waiting: number;
  /** Those that wait here for a slot, the oldest first. */
  readonly queue: Waiter[];
}

type Waiter = (hasSlot: boolean) => void;

const shortestMs = 25;
const longestMs = 2_000;
const maxEndpoints = 10_000;
/** A slot that will be free so soon is waited for: putting off costs three commits. */
const soonMs = 250;
/** At most so many wait for each slot, so that a lane keeps room for other endpoints. */
const waitersPerSlot = 2;

/**
 * How many attempts of one endpoint this process makes at once, within its share of what all processes
 * together may: a receiver that hangs must not fill
 * the lanes that others share. What finds no slot waits for one where the endpoint answers quickly,
 * and is else put off for about as long as the endpoint needs to work off what waits.
 */
export class EndpointSlots {
  readonly #slots: number;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #averageMs = new Map<string, number>();

  readonly #share: SlotShare | undefined;

  constructor(slots: number, share?: SlotShare) {
    this.#slots = slots;
    this.#share = share;
  }

  isFull(endpointId: string): boolean {
    const endpoint = this.#endpoints.get(endpointId);
    const inFlight = endpoint?.inFlight ?? 0;
    if (inFlight < this.#slots) return this.#share?.isRefused(endpointId, inFlight) ?? false;
    return endpoint === undefined || !this.#isSoonFree(endpointId, endpoint);
  }

  /** Takes a slot, after a short wait where one will be free soon. False where it must be put off. */
  async take(endpointId: string): Promise<boolean> {
    const endpoint = this.#endpoints.get(endpointId) ?? { inFlight: 0, waiting: 0, queue: [] };
    if (endpoint.inFlight < this.#slots) {
      endpoint.inFlight += 1;
      endpoint.waiting = Math.max(0, endpoint.waiting - 1);
      this.#endpoints.set(endpointId, endpoint);
      return this.#isShared(endpointId, endpoint);
    }
    if (!this.#isSoonFree(endpointId, endpoint)) return false;
    return this.#wait(endpointId, endpoint);
  }

  /** The slot was taken here already, so that others who ask meanwhile see it; it may have to go back. */
  async #isShared(endpointId: string, endpoint: Endpoint): Promise<boolean> {
    if (this.#share === undefined) return true;
    const allowed = await this.#share.allowed(endpointId, endpoint.inFlight);
    const isAllowed = endpoint.inFlight <= allowed;
    if (isAllowed) this.#share.use(endpointId, endpoint.inFlight);
    else this.#leave(endpointId, endpoint);
    return isAllowed;
  }

  #leave(endpointId: string, endpoint: Endpoint): void {
    endpoint.inFlight -= 1;
    this.#share?.use(endpointId, endpoint.inFlight);
    if (endpoint.inFlight === 0) this.#endpoints.delete(endpointId);
  }

  #isSoonFree(endpointId: string, { queue }: Endpoint): boolean {
    const averageMs = this.#averageMs.get(endpointId);
    if (averageMs === undefined || queue.length >= this.#slots * waitersPerSlot) return false;
    return averageMs * (1 + queue.length / this.#slots) <= soonMs;
  }

  #wait(endpointId: string, { queue }: Endpoint): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1);
        // It is slow now, and nobody waits for it until it has been quick again for a while.
        this.#averageMs.set(endpointId, Math.max(this.#averageMs.get(endpointId) ?? 0, 2 * soonMs));
        resolve(false);
      }, soonMs);
      const waiter: Waiter = (hasSlot) => {
        clearTimeout(timer);
        resolve(hasSlot);
      };
      queue.push(waiter);
    });
  }

  release(endpointId: string, tookMs: number): void {
    const average = this.#averageMs.get(endpointId) ?? tookMs;
    this.#averageMs.delete(endpointId);
    this.#averageMs.set(endpointId, average * 0.8 + tookMs * 0.2);
    const [oldest] = this.#averageMs.keys();
    if (this.#averageMs.size > maxEndpoints && oldest !== undefined) this.#averageMs.delete(oldest);
    const endpoint = this.#endpoints.get(endpointId);
    if (endpoint === undefined) return;
    const next = endpoint.queue.shift();
    // The slot goes from hand to hand: who comes now must not overtake who waits.
    if (next !== undefined) {
      next(true);
      return;
    }
    this.#leave(endpointId, endpoint);
  }

  /** For how long to put off one more, in milliseconds. */
  putOffMs(endpointId: string): number {
    const endpoint = this.#endpoints.get(endpointId);
    const rounds = endpoint === undefined ? 1 : 1 + (endpoint.waiting += 1) / this.#slots;
    const wanted = (this.#averageMs.get(endpointId) ?? shortestMs) * rounds;
    return Math.min(longestMs, Math.max(shortestMs, wanted));
  }
}
