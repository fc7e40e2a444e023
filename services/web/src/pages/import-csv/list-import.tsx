import type { CardImport, ImportStatus } from "@cardvault/contract";
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconCopy } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { FollowedJob } from "../../parts/job-progress.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { ImportTabs } from "../import/import-tabs.tsx";
import { layoutWords } from "./list-words.ts";
import { MappingPanel } from "./mapping-panel.tsx";
import { ResultPanel } from "./result-panel.tsx";
import { RowsPanel } from "./rows-panel.tsx";
import { StartImport } from "./start-import.tsx";

const followEveryMs = 1_000;
const atWork: readonly ImportStatus[] = ["uploading", "checking", "importing", "undoing"];

/** One list, from its columns to its cards. */
export function ListImport({ id }: { id: string }) {
  const found = useQuery(
    trpc.imports.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data !== undefined && atWork.includes(state.data.status) ? followEveryMs : false,
      },
    ),
  );
  return (
    <Page
      title={found.data?.file_name ?? "Import a list"}
      lead={
        <Link to="/import/csv" search={{}}>
          All lists
        </Link>
      }
    >
      <ImportTabs current="list" />
      {found.isPending ? (
        <Stack aria-busy="true">
          <Skeleton height={64} />
          <div className="panel">
            <TableSkeleton rows={8} columns={[160, 240, 180]} />
          </div>
        </Stack>
      ) : found.data === undefined ? (
        <div className="panel">
          <ProblemPanel error={found.error} what="The list" onRetry={() => void found.refetch()} />
        </div>
      ) : (
        <Shown list={found.data} />
      )}
    </Page>
  );
}

function Shown({ list }: { list: CardImport }) {
  const { status } = list;
  const isOver = status === "imported" || status === "undone";
  const isChanging = status === "importing" || status === "undoing" || status === "stopped";
  return (
    <Stack gap="lg">
      <ListFacts list={list} />
      {status === "unreadable" || status === "uploading" ? null : (
        <>
          {isOver || isChanging ? null : <MappingPanel key={list.updated_at} list={list} />}
          {list.job_id !== null && atWork.includes(status) ? (
            <div className="panel fact-panel">
              <FollowedJob id={list.job_id} />
            </div>
          ) : null}
          {status === "checked" ? <StartImport list={list} /> : null}
          {isOver || status === "stopped" ? <ResultPanel list={list} /> : null}
          {status === "uploaded" || status === "checking" ? null : <RowsPanel list={list} />}
        </>
      )}
    </Stack>
  );
}

function ListFacts({ list }: { list: CardImport }) {
  return (
    <div className="panel fact-panel">
      <Facts>
        <Fact label="Form">
          {list.layout === null ? "A spreadsheet of its own" : layoutWords[list.layout]}
        </Fact>
        <Fact label="Columns">{list.headers.length.toLocaleString()}</Fact>
        <Fact label="Size">{sizeWords(list.file_size)}</Fact>
        <Fact label="Written as">
          {[list.encoding, delimiterWords(list.delimiter)].filter(Boolean).join(", ")}
        </Fact>
      </Facts>
      {list.same_file_as === null ? null : (
        <p style={{ margin: "8px 0 0" }}>
          <Chip tone="warning" icon={IconCopy}>
            The very same file was uploaded before
          </Chip>{" "}
          <Link to="/import/csv" search={{ import: list.same_file_as }}>
            See what became of it
          </Link>
        </p>
      )}
      {list.problem === null ? null : (
        <p style={{ margin: "8px 0 0" }} role="alert">
          <Chip tone="bad" icon={IconAlertTriangle}>
            {list.problem}
          </Chip>
        </p>
      )}
    </div>
  );
}

const kilobyte = 1_000;

function sizeWords(bytes: number): string {
  const format = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 1 });
  return bytes < kilobyte ** 2
    ? `${format(bytes / kilobyte)} kB`
    : `${format(bytes / kilobyte ** 2)} MB`;
}

function delimiterWords(delimiter: string | null): string | null {
  if (delimiter === null) return null;
  if (delimiter === "\t") return "tabs";
  return delimiter === ";" ? "semicolons" : delimiter === "," ? "commas" : `“${delimiter}”`;
}
