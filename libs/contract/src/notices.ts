import * as z from "zod";
import { endpointId, noticeId } from "./ids.ts";
import { pageShape } from "./lists.ts";
import { timestamp } from "./text.ts";

/**
 * What an account is told without having asked: an endpoint has failed for days, an endpoint was
 * disabled, events were dropped, the marketplace no longer takes the account's connection.
 */
export const noticeKinds = [
  "endpoint_failing",
  "endpoint_disabled",
  "events_dropped",
  "marketplace_revoked",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const notice = z.strictObject({
  id: noticeId,
  kind: z.enum(noticeKinds),
  endpoint_id: endpointId.nullable(),
  endpoint_url: z.string().nullable(),
  message: z.string().meta({ description: "One or two sentences for a person." }),
  /**
   * `endpoint_failing`: `day`, `failing_since`, `disables_at`. `endpoint_disabled`: `reason`, `dropped`.
   * `events_dropped`: `count`, `since`, `until`. `marketplace_revoked`: `marketplace`.
   */
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  read_at: timestamp.nullable(),
});
export type Notice = z.output<typeof notice>;

/** `notices.list`, the latest first. */
export const noticeListInput = z.strictObject({ unread: z.boolean().optional(), ...pageShape });
export const noticeListAnswer = z.strictObject({
  data: z.array(notice),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  unread: z.int().min(0).meta({ description: "Of the whole account. Counted up to 1,000." }),
});

/** `notices.markRead`: the named ones, or all. Read by one member is read for the account. */
export const noticeMarkReadInput = z
  .strictObject({
    ids: z.array(z.string()).min(1).max(200).optional(),
    all: z.literal(true).optional(),
  })
  .refine((input) => (input.ids === undefined) !== (input.all === undefined), {
    message: "Give exactly one of ids and all",
    path: ["ids"],
  });
export const noticeMarkReadAnswer = z.strictObject({ marked: z.int().min(0) });
