import { router } from "../procedures.ts";
import { listNoticesProcedure } from "./list-notices.ts";
import { markNoticesReadProcedure } from "./mark-read.ts";

export const noticesRouter = router({
  list: listNoticesProcedure,
  markRead: markNoticesReadProcedure,
});
