import type { QueueReason, ReviewOrder, ReviewStats } from "@cardvault/contract";
import { Button, MultiSelect, NativeSelect, Progress } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { problemOf } from "../../app/problem.ts";
import { reviewReasonWords } from "../../parts/candidates-words.ts";
import { counted } from "../../parts/words.ts";
import { reviewOrders, reviewReasons } from "../../app/search.ts";
import type { QueueChoice, QueueState } from "./queue-state.ts";

const orderWords: Record<ReviewOrder, string> = {
  confidence: "Likeliest first",
  value: "Dearest first",
  age: "Oldest first",
};

/** How much there is and how fast it goes; and which cards come, in which order. */
export function ReviewBar(props: {
  choice: QueueChoice;
  state: QueueState;
  stats: ReviewStats | undefined;
  error: unknown;
  onRetry: () => void;
  waiting: number;
}) {
  const { choice, state, stats, waiting } = props;
  const navigate = useNavigate({ from: "/review" });
  const done = state.accepted + state.corrected;
  const whole = done + waiting;
  const byReason = (reason: QueueReason) => stats?.by_reason[reason] ?? 0;
  return (
    <div className="review-bar">
      <div className="review-progress">
        {stats === undefined ? (
          props.error === null ? (
            "Counting…"
          ) : (
            <span role="alert">
              How many wait could not be counted ({problemOf(props.error).code}).{" "}
              <Button size="compact-xs" variant="default" onClick={props.onRetry}>
                Retry
              </Button>
            </span>
          )
        ) : (
          <>
            <strong>{waiting.toLocaleString()} waiting</strong>
            {stats.held_by_others === 0 ? null : `, ${stats.held_by_others} with others`} ·{" "}
            {counted(stats.decided_last_hour, "decision")} in the last hour
            {stats.rate_per_minute === null ? null : `, ${stats.rate_per_minute} a minute`}
          </>
        )}
        <Progress
          mt={4}
          size={4}
          value={(done / Math.max(1, whole)) * 100}
          aria-label="Reviewed on this visit"
        />
      </div>
      <MultiSelect
        aria-label="Reason"
        placeholder={choice.reason === undefined ? "Every reason" : ""}
        size="xs"
        miw={168}
        maw={360}
        clearable
        clearButtonProps={{ "aria-label": "Every reason" }}
        data={reviewReasons.map((value) => ({
          value,
          label: `${reviewReasonWords[value].title} (${byReason(value)})`,
        }))}
        value={choice.reason ?? []}
        onChange={(values) => {
          const reason = reviewReasons.filter((one) => values.includes(one));
          void navigate({
            search: (before) => ({ ...before, reason: reason.length > 0 ? reason : undefined }),
            replace: true,
          });
        }}
      />
      {choice.batch_id === undefined ? null : (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, batch: undefined }),
              replace: true,
            })
          }
        >
          One batch: show all
        </Button>
      )}
      <NativeSelect
        aria-label="Order"
        size="xs"
        data={reviewOrders.map((value) => ({ value, label: orderWords[value] }))}
        value={choice.order}
        onChange={(event) => {
          const order = reviewOrders.find((one) => one === event.currentTarget.value);
          void navigate({
            search: (before) => ({ ...before, order: order === "confidence" ? undefined : order }),
            replace: true,
          });
        }}
      />
    </div>
  );
}
