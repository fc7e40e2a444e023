import { enqueueJob, insertNotice, workChannel } from "@cardvault/db";
import type { Database, NewNotice, Transaction } from "@cardvault/db";
import { noticeMailKind } from "./notice-mail.ts";

/** Tells an account something, once; its owners by mail too where the installation sends mail. */
export async function notify(
  { db, sendsMail }: { db: Database; sendsMail: boolean },
  tx: Transaction,
  notice: NewNotice,
  now: Date,
): Promise<boolean> {
  const noticeId = await insertNotice(tx, notice, now);
  if (noticeId === null) return false;
  if (sendsMail) {
    const { accountId } = notice;
    const payload = { notice_id: noticeId };
    await enqueueJob(tx, { kind: noticeMailKind, accountId, payload, subjectId: noticeId }, now);
    tx.afterCommit(() => db.notify(workChannel));
  }
  return true;
}
