import type { DeliveryAttempt, DeliveryDetail } from "@cardvault/contract";
import { Answer, OutcomeChip } from "../../parts/answer.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { TimingsBar } from "../../parts/timings.tsx";

/** Every attempt, the latest first and open. */
export function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  if (delivery.attempts.length === 0) {
    return (
      <p className="cell-sub">
        {delivery.status === "pending"
          ? "The first one is on its way."
          : delivery.attempt_count > 0
            ? "They are older than the log is kept."
            : "There was none."}
      </p>
    );
  }
  const latest = delivery.attempts.at(-1)?.number;
  return (
    <div className="attempts">
      {delivery.attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} isOpen={attempt.number === latest} />
      ))}
    </div>
  );
}

function Attempt({ attempt, isOpen }: { attempt: DeliveryAttempt; isOpen: boolean }) {
  return (
    <details className="attempt" open={isOpen}>
      <summary>
        <span>Attempt {attempt.number}</span>
        <OutcomeChip {...attempt} />
        <span className="cell-sub">
          <RelativeTime at={attempt.started_at} /> · {attempt.total_ms.toLocaleString()} ms
        </span>
      </summary>
      <TimingsBar timings={attempt} />
      <Answer {...attempt} />
    </details>
  );
}
