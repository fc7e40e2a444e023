import type { Scan } from "@cardvault/contract";
import { ActionIcon, Button, SegmentedControl, Title } from "@mantine/core";
import { IconAlertTriangle, IconClockPause, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Chip } from "../../parts/chip.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import type { Refused, RunState, ScanRun } from "./scan-run.ts";
import { cardName, isTrouble, outcomeLooks, undoneLook } from "./scan-words.ts";

/** Scans that the service would not take: they stay until somebody has seen to them. */
export function RefusedList({ run, refused }: { run: ScanRun; refused: readonly Refused[] }) {
  if (refused.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="refused">
      <div className="move-heading">
        <Title order={2} id="refused">
          Not done
        </Title>
      </div>
      <ul className="move-list">
        {refused.map(({ scanId, text, message }) => (
          <li key={scanId}>
            <Chip tone="bad" icon={IconAlertTriangle}>
              {text}
            </Chip>
            <span className="move-what cell-sub">{message}</span>
            {text.startsWith(undoPrefix) ? null : (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  run.dismiss(scanId);
                  run.scan(text);
                }}
              >
                Scan it again
              </Button>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Dismiss ${text}`}
              onClick={() => run.dismiss(scanId)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}
const undoPrefix = "Undo of ";

/** The run's scans, the latest first, those that wait above them. */
export function ScanLog({ run, state }: { run: ScanRun; state: RunState }) {
  const [shows, setShows] = useState<"all" | "trouble">("all");
  const [error, setError] = useState<unknown>(null);
  const scans = shows === "all" ? state.scans : state.scans.filter(isTrouble);
  const waiting = shows === "all" ? state.waiting.toReversed() : [];
  return (
    <section className="panel" aria-labelledby="run">
      <div className="move-heading">
        <Title order={2} id="run">
          This run
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Which scans"
          data={[
            { value: "all", label: "All" },
            { value: "trouble", label: "To look at" },
          ]}
          value={shows}
          onChange={(value) => setShows(value === "trouble" ? "trouble" : "all")}
        />
      </div>
      {scans.length + waiting.length === 0 ? (
        <p className="cell-sub" style={{ margin: 0, padding: "16px" }}>
          {shows === "all"
            ? "Every scan comes to stand here, with what came of it."
            : "Nothing: every scan was understood."}
        </p>
      ) : (
        <ul className="move-list">
          {waiting.map(({ item }) => (
            <li key={`${item.kind} ${item.scanId}`}>
              <Chip tone="warning" icon={IconClockPause}>
                {item.kind === "scan" ? "Waiting" : "Undo waiting"}
              </Chip>
              <span className="move-what mono">{item.kind === "scan" ? item.text : item.what}</span>
            </li>
          ))}
          {scans.map((scan) => (
            <ScanRow key={scan.scan_id} scan={scan} />
          ))}
        </ul>
      )}
      {state.hasMore && shows === "all" ? (
        <div className="list-end">
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              setError(null);
              run.loadMore().catch(setError);
            }}
          >
            Load more
          </Button>
          <ProblemNote error={error} />
        </div>
      ) : null}
    </section>
  );
}

function ScanRow({ scan }: { scan: Scan }) {
  const { words, ...look } = scan.undone_at === null ? outcomeLooks[scan.outcome] : undoneLook;
  return (
    <li>
      <Chip {...look}>{words}</Chip>
      <span className="move-what" data-undone={scan.undone_at === null ? undefined : true}>
        {scan.card === null ? (
          <span className="mono">{scan.outcome === "place" ? scan.location : scan.text}</span>
        ) : (
          cardName(scan.card)
        )}
        {scan.outcome === "moved" ? (
          <span className="cell-sub">
            {scan.from_location ?? "no place"} → {scan.location}
          </span>
        ) : null}
      </span>
      <RelativeTime at={scan.scanned_at} />
    </li>
  );
}
