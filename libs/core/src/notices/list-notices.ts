import { noticeListAnswer, noticeListInput } from "@cardvault/contract";
import { countUnreadNotices, listNotices } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listNoticesProcedure = session()
  .input(noticeListInput)
  .output(noticeListAnswer)
  .query(async ({ ctx: { services, access }, input }) => {
    const [page, unread] = await Promise.all([
      listNotices(services.db, access.accountId, input),
      countUnreadNotices(services.db, access.accountId),
    ]);
    return { ...page, unread };
  });
