import { findNoticeMail } from "@cardvault/db";
import type { Database, NoticeMail } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import * as z from "zod";
import type { WorkHandler } from "./handler.ts";

export const noticeMailKind = "notice.mail";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends one mail, or throws: then it is tried again. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

const payloadSchema = z.object({ notice_id: z.string() });
const progressSchema = z.object({ mailed: z.array(z.string()) });

const subjects: Record<NoticeMail["kind"], string> = {
  endpoint_failing: "A webhook endpoint is failing",
  endpoint_disabled: "A webhook endpoint has been disabled",
  events_dropped: "Webhook events have been dropped",
  marketplace_revoked: "The connection to the marketplace has ended",
};

/**
 * Mails a notice to the owners of its account, one address a chunk: a server that refuses one of them
 * does not have the others mailed twice.
 */
export function noticeMailHandler({
  db,
  mailer,
  publicUrl,
}: {
  db: Database;
  mailer: Mailer;
  publicUrl: string;
}): WorkHandler {
  return {
    async run({ job, saveProgress }) {
      const { notice_id: noticeId } = payloadSchema.parse(job.payload);
      const notice = isId("ntc", noticeId) ? await findNoticeMail(db, noticeId) : null;
      if (notice === null) return { type: "done" };
      const saved = progressSchema.safeParse(job.progress);
      const mailed = saved.success ? saved.data.mailed : [];
      const to = notice.addresses.find((address) => !mailed.includes(address));
      if (to === undefined) return { type: "done" };
      await mailer.send({ to, ...letterOf(notice, publicUrl) });
      const progress = { mailed: [...mailed, to] };
      await saveProgress(db, progress);
      return { type: "chunk", progress };
    },
  };
}

function letterOf(notice: NoticeMail, publicUrl: string): Omit<Mail, "to"> {
  const path =
    notice.kind === "marketplace_revoked"
      ? "/settings/integrations"
      : notice.endpointId === null
        ? "/settings/webhooks"
        : `/settings/webhooks/${notice.endpointId}`;
  return {
    subject: `${subjects[notice.kind]}: ${notice.accountName}`,
    text: [
      notice.message,
      ...(notice.endpointUrl === null ? [] : [`Endpoint: ${notice.endpointUrl}`]),
      `Account: ${notice.accountName}`,
      `${publicUrl}${path}`,
    ].join("\n\n"),
  };
}
