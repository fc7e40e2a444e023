import "./bulk-edit.css";
import type { CardRow, CardSelection } from "@cardvault/contract";
import { Button, Group, Modal, Progress, Skeleton } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useBlocker, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { filterOf } from "../../app/inventory-search.ts";
import { usePageKeys } from "../../app/page-keys.ts";
import { trpc } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { handedSelection } from "../../parts/selection.ts";
import { counted } from "../../parts/words.ts";
import { idsOf, loadRows, mostRows } from "./load-rows.ts";
import { LastSave, SaveBar, useSaving } from "./save-bar.tsx";
import { SheetGrid } from "./sheet.tsx";
import { sheetColumns } from "./sheet-columns.ts";
import { sheetKeyList } from "./sheet-keys.ts";
import { problemOfCell } from "./sheet-state.ts";
import { useLiveRows } from "./use-live-rows.ts";
import { useSheet } from "./use-sheet.ts";

/** The cards of a selection as a spreadsheet, saved as one job. */
export function BulkEditPage() {
  const search = useSearch({ from: "/inside/inventory/bulk-edit" });
  usePageKeys(sheetKeyList);
  const filter = filterOf(search);
  // A filter in the address can be shared; a selection by hand was made in this tab.
  const selection: CardSelection | null =
    Object.keys(filter).length > 0
      ? { filter, except: [] }
      : (handedSelection()?.selection ?? null);
  const listed = useQuery({
    queryKey: ["bulk-edit", selection, search.sort ?? null],
    queryFn: () => (selection === null ? { ids: [], isCut: false } : idsOf(selection, search.sort)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [tries, setTries] = useState(0);
  const count = listed.data?.ids.length;
  return (
    <div className="sheet-page">
      <Page
        title={count === undefined || count === 0 ? "Edit cards" : `Edit ${counted(count, "card")}`}
        lead={
          listed.data?.isCut === true
            ? `These are the first ${mostRows.toLocaleString()}: one job changes as many.`
            : undefined
        }
      >
        {listed.isPending ? (
          <SheetSkeleton />
        ) : listed.data === undefined ? (
          <div className="panel">
            <ProblemPanel
              error={listed.error}
              what="The cards"
              onRetry={() => void listed.refetch()}
            />
          </div>
        ) : count === 0 ? (
          <div className="panel">
            <EmptyState
              title="No cards are selected"
              action={<LinkButton to="/inventory">Select cards</LinkButton>}
            >
              Select cards in the inventory, or filter them, and open them here as a spreadsheet.
            </EmptyState>
          </div>
        ) : (
          <Loaded key={tries} ids={listed.data.ids} onRetry={() => setTries(tries + 1)} />
        )}
      </Page>
    </div>
  );
}

/** Loads the rows, and shows the sheet when all are there. */
function Loaded({ ids, onRetry }: { ids: readonly string[]; onRetry: () => void }) {
  const [rows, setRows] = useState<ReadonlyMap<string, CardRow>>(new Map());
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isLeft = false;
    const found = new Map<string, CardRow>();
    loadRows(ids, (some) => {
      for (const row of some) found.set(row.id, row);
      if (!isLeft) setRows(new Map(found));
    }).catch((thrown: unknown) => {
      if (!isLeft) setError(thrown);
    });
    return () => {
      isLeft = true;
    };
  }, [ids]);
  if (error !== null) {
    return (
      <div className="panel">
        <ProblemPanel error={error} what="The rows" onRetry={onRetry} />
      </div>
    );
  }
  if (rows.size < ids.length) {
    return (
      <>
        <Progress
          value={(rows.size / ids.length) * 100}
          aria-label={`${rows.size} of ${ids.length} rows are here`}
          size="xs"
          mb={8}
        />
        <SheetSkeleton />
      </>
    );
  }
  return <SheetEditor ids={ids} rows={rows} onRows={setRows} />;
}

function SheetEditor(props: {
  ids: readonly string[];
  rows: ReadonlyMap<string, CardRow>;
  onRows: (rows: ReadonlyMap<string, CardRow>) => void;
}) {
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const { currency } = current.account;
  const sheet = useSheet(props.ids, props.rows, currency);
  const [said, setSaid] = useState<string | null>(null);
  const saving = useSaving(sheet, currency, async (saved) => {
    const latest = new Map(props.rows);
    await loadRows(saved, (some) => {
      for (const row of some) latest.set(row.id, row);
    });
    props.onRows(latest);
  });
  useLiveRows(props.rows, (latest) => {
    // What is being saved is loaded again at its end.
    if (latest.length === 0 || saving.isPending) return;
    sheet.noteChanged(latest);
    const rows = new Map(props.rows);
    for (const row of latest) rows.set(row.id, row);
    props.onRows(rows);
  });
  const isDirty = sheet.state.edits.size > 0;
  const { head } = sheet.range;
  const column = sheetColumns[head.column];
  const problem =
    column === undefined
      ? undefined
      : problemOfCell(sheet.state, props.ids[head.row] ?? "", column, currency);
  return (
    <>
      <SaveBar sheet={sheet} saving={saving} said={problem ?? said} />
      <SheetGrid sheet={sheet} currency={currency} onSave={saving.save} onSaid={setSaid} />
      {saving.jobId === null ? null : (
        <LastSave key={saving.jobId} jobId={saving.jobId} onEnd={saving.end} />
      )}
      <LeaveQuestion isDirty={isDirty} count={sheet.state.edits.size} />
    </>
  );
}

/** What was typed and not saved is not left behind by accident. */
function LeaveQuestion({ isDirty, count }: { isDirty: boolean; count: number }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Modal opened onClose={blocker.reset} title="Leave without saving?">
      <p>What you typed for {counted(count, "card")} is not saved.</p>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={blocker.reset} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={blocker.proceed}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}

function SheetSkeleton() {
  return (
    <div className="sheet" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: 14 }, (_, row) => (
        <Skeleton key={row} height={24} m={4} />
      ))}
    </div>
  );
}
