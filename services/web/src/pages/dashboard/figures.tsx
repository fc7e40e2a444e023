import type { Dashboard } from "@cardvault/contract";
import { workflowStatuses } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconEye,
  IconTag,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { WorkflowChip } from "../../parts/chip.tsx";
import { inStock } from "../../parts/stages.ts";
import { formatMoney } from "../../parts/money.ts";
import { counted } from "../../parts/words.ts";
import { SectionHead } from "../../parts/section.tsx";

/** What somebody has to do something about. */
export function Waiting({ dashboard }: { dashboard: Dashboard }) {
  const { counts, needs_review: review, dropped_events: dropped } = dashboard;
  return (
    <section aria-labelledby="act">
      <SectionHead id="act" title="Waiting for you" />
      <div className="figures">
        <Link
          to="/events/dropped"
          className="panel figure-link"
          data-tone={dropped > 0 ? "bad" : undefined}
        >
          <Figure
            icon={dropped > 0 ? IconAlertTriangle : IconCheck}
            label="Dropped events"
            value={dropped.toLocaleString()}
            note={
              dropped > 0
                ? "Your receiver never got these"
                : "Every event was delivered or is on its way"
            }
          />
        </Link>
        <Link to="/review" className="panel figure-link">
          <Figure
            icon={IconEye}
            label="Needs review"
            value={review.toLocaleString()}
            note={review > 0 ? "Cards that wait for your decision" : "No card is in doubt"}
          />
        </Link>
        <Link
          to="/inventory"
          search={{ workflow_status: ["imported"] }}
          className="panel figure-link"
        >
          <Figure
            icon={IconCircleDashed}
            label="To identify"
            value={counts.imported.toLocaleString()}
            note="Imported, not identified yet"
          />
        </Link>
        <Link
          to="/inventory"
          search={{ workflow_status: ["identified"] }}
          className="panel figure-link"
        >
          <Figure
            icon={IconTag}
            label="To price"
            value={counts.identified.toLocaleString()}
            note="Identified, without an asking price"
          />
        </Link>
      </div>
    </section>
  );
}

function Figure(props: { icon?: Icon; label: string; value: string; note: ReactNode }) {
  const { icon: Shape } = props;
  return (
    <>
      <span className="figure-label">
        {Shape === undefined ? null : <Shape size={16} stroke={1.75} aria-hidden />}
        {props.label}
      </span>
      <span className="figure-value">{props.value}</span>
      <span className="figure-note">{props.note}</span>
    </>
  );
}

export function Stages({ counts, total }: { counts: Dashboard["counts"]; total: number }) {
  return (
    <section aria-labelledby="stock">
      <SectionHead id="stock" title="Cards by stage">
        <Link to="/inventory">{counted(total, "card")}</Link>
      </SectionHead>
      <div className="panel stages">
        {workflowStatuses.map((status) => (
          <Link
            key={status}
            to="/inventory"
            search={{ workflow_status: [status] }}
            className="stage"
          >
            <WorkflowChip status={status} />
            <span className="figure-value">{counts[status].toLocaleString()}</span>
            <span className="stage-share" aria-hidden>
              <span style={{ width: `${total === 0 ? 0 : (counts[status] / total) * 100}%` }} />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}

export function Worth({ dashboard }: { dashboard: Dashboard }) {
  const { asking_value: asking, cost, market_value: market, copies } = dashboard;
  return (
    <section aria-labelledby="value">
      <SectionHead id="value" title="What the stock is worth">
        <Link to="/inventory" search={{ workflow_status: inStock }}>
          {counted(copies, "copy", "copies")} in stock
        </Link>
      </SectionHead>
      <div className="figures">
        <Link to="/inventory" search={{ workflow_status: inStock }} className="panel figure-link">
          <Figure
            label="Asking value"
            value={formatMoney(asking)}
            note="Asking price times copies"
          />
        </Link>
        <Link to="/inventory" search={{ workflow_status: inStock }} className="panel figure-link">
          <Figure
            label="Market value"
            value={formatMoney(market)}
            note="Of those with a stored market price"
          />
        </Link>
        <Link to="/inventory" search={{ workflow_status: inStock }} className="panel figure-link">
          <Figure label="Cost" value={formatMoney(cost)} note="What those copies were bought for" />
        </Link>
      </div>
    </section>
  );
}
