import * as z from "zod";
import { batchId, cardId, listingId } from "./ids.ts";
import { job } from "./jobs-api.ts";

/** More changed cards, batches or listings than this are told as a `reset`. */
export const maxLiveIds = 500;
/** Counters of what is told stop here. */
export const maxLiveCount = 1_000;
/** Connections of one person to one process. */
export const maxLiveConnections = 12;

/**
 * `live.follow`: a subscription to one account. Of its position in the account's changes each message has
 * the id, which comes back as `lastEventId` after a cut connection: what happened meanwhile is then told.
 */
export const liveInput = z.strictObject({ lastEventId: z.string().max(100).nullish() }).optional();

const counters = z.strictObject({
  unread_notices: z.int().min(0).max(maxLiveCount),
  dropped_events: z.int().min(0).max(maxLiveCount),
});

/**
 * What a page that is open is told. Messages name what has changed, and not how: whoever shows it asks for
 * it, with the rights that they have then. A card that has left a list is named like one that has come.
 */
export const liveMessage = z.discriminatedUnion("type", [
  /** The first of each connection. `resumed`: what was missed follows; else it begins now. */
  z.strictObject({ type: z.literal("connected"), resumed: z.boolean(), counters }),
  z.strictObject({
    type: z.literal("changed"),
    cards: z.array(cardId),
    batches: z.array(batchId),
    listings: z.array(listingId),
  }),
  /** Jobs as they stand; of one job the latest alone. */
  z.strictObject({ type: z.literal("jobs"), jobs: z.array(job) }),
  z.strictObject({ type: z.literal("counters"), counters }),
  /** The person's role in the account, or its suspension, is another now. */
  z.strictObject({ type: z.literal("access") }),
  /** Too much was missed to name it: everything that is shown has to be asked for again. */
  z.strictObject({ type: z.literal("reset") }),
]);
export type LiveMessage = z.output<typeof liveMessage>;
export type LiveCounters = z.output<typeof counters>;
