import { router } from "../procedures.ts";
import { followProcedure } from "./follow.ts";

export const liveRouter = router({ follow: followProcedure });
