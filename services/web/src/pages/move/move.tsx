import "./move.css";
import { Skeleton } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useAccountId } from "../../app/account.ts";
import { useSessionEnded } from "../../app/session-ended.ts";
import { Page } from "../../parts/page.tsx";
import { MovePanel } from "./move-panel.tsx";
import { beginRun, stationOf } from "./scan-run.ts";
import type { Station } from "./scan-run.ts";
import { TillPanel } from "./till-panel.tsx";

/** A scanner and a box of cards: where they lie now, or what they were sold for. */
export function MovePage() {
  const accountId = useAccountId();
  const { mode = "move" } = useSearch({ from: "/inside/move" });
  const [station, setStation] = useState<Station | null>(null);
  const hasEnded = useSessionEnded();
  useEffect(() => {
    let isGone = false;
    if (accountId === null) return undefined;
    void stationOf(accountId).then((opened) => {
      if (!isGone) setStation(opened);
    });
    return () => {
      isGone = true;
    };
  }, [accountId]);
  useEffect(() => {
    if (hasEnded || station === null) return;
    station.run.resume();
    station.till.resume();
  }, [hasEnded, station]);
  return (
    <Page title={mode === "move" ? "Move cards" : "Sell cards"}>
      <nav className="tabs" aria-label="What a scan does" style={{ marginTop: 0 }}>
        <Link className="tab" to="/move" search={{}} data-current={mode === "move" || undefined}>
          Move
        </Link>
        <Link
          className="tab"
          to="/move"
          search={{ mode: "sell" }}
          data-current={mode === "sell" || undefined}
        >
          Sell
        </Link>
      </nav>
      {station === null || accountId === null ? (
        <MoveSkeleton />
      ) : mode === "move" ? (
        <MovePanel run={station.run} onNewRun={() => void beginRun(accountId).then(setStation)} />
      ) : (
        <TillPanel till={station.till} />
      )}
    </Page>
  );
}

function MoveSkeleton() {
  return (
    <div className="move" aria-busy="true">
      <Skeleton height={70} />
      <Skeleton height={36} />
      <Skeleton height={76} />
      <Skeleton height={200} />
    </div>
  );
}
