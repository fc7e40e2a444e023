/** Where the time comes from. Whoever needs it is given one, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** The machine's own time. */
export const systemClock: Clock = { now: () => new Date() };
