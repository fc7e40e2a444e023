import { router } from "../procedures.ts";
import {
  acceptReviewProcedure,
  correctReviewProcedure,
  skipReviewProcedure,
} from "./decide-review.ts";
import { releaseReviewsProcedure, renewReviewsProcedure } from "./hold-reviews.ts";
import { nextReviewsProcedure } from "./next-reviews.ts";
import { readReviewStatsProcedure } from "./read-review-stats.ts";
import { undoLastReviewProcedure } from "./undo-last-review.ts";

export const reviewRouter = router({
  next: nextReviewsProcedure,
  renew: renewReviewsProcedure,
  release: releaseReviewsProcedure,
  accept: acceptReviewProcedure,
  correct: correctReviewProcedure,
  skip: skipReviewProcedure,
  undoLast: undoLastReviewProcedure,
  stats: readReviewStatsProcedure,
});
