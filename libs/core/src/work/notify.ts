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
  if (sendsMail) await askForMail(db, tx, { id: noticeId, accountId: notice.accountId }, now);
  return true;
}

/** Has a notice mailed to the owners of its account. */
export async function askForMail(
  db: Database,
  tx: Transaction,
  { id, accountId }: { id: string; accountId: string },
  now: Date,
): Promise<void> {
  const payload = { notice_id: id };
  await enqueueJob(tx, { kind: noticeMailKind, accountId, payload, subjectId: id }, now);
  tx.afterCommit(() => db.notify(workChannel));
}
