import "./sales.css";
import type { SalesOverview } from "@cardvault/contract";
import { Button, Kbd } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { useHotKey } from "../../app/hot-keys.ts";
import { useAsked } from "../../app/asked.ts";
import { usePageKeys } from "../../app/page-keys.ts";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { LedgerPanel } from "./ledger-panel.tsx";
import { ListingsPanel } from "./listings-panel.tsx";
import { PullPanel } from "./pull-panel.tsx";
import { RecordSaleDialog } from "./record-sale-dialog.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { refreshSales } from "./refresh-sales.ts";
import { salesTabs } from "./sales-search.ts";
import type { SalesTab } from "./sales-search.ts";
import { syncFailureOf } from "./sales-words.ts";
import { SettlePanel } from "./settle-panel.tsx";

const salesKeys = [
  { keys: ["1", "…", "7"], words: "The tabs, from the left" },
  { keys: ["N"], words: "Record a sale made elsewhere" },
  { keys: ["J", "K"], words: "To pull: the next line, the one before" },
  { keys: ["X"], words: "To pull: tick the line, or take the tick away" },
  { keys: ["Z"], words: "Undo the latest" },
] as const;

const tabWords: Record<SalesTab, string> = {
  live: "Live",
  pull: "To pull",
  settle: "To settle",
  sold: "Sold",
  ended: "Ended",
  failed: "Failed",
  ledger: "Ledger",
};

/** The marketplace is read by the worker: what it found shows by itself. */
const everyMs = 10_000;

/** What is for sale, what was sold and lies to be pulled, and what it all came to. */
export function SalesPage() {
  const { tab = "live" } = useSearch({ from: "/inside/sales" });
  const navigate = useNavigate();
  const overview = useQuery(
    trpc.sales.overview.queryOptions(undefined, { refetchInterval: everyMs }),
  );
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const [isRecording, setIsRecording] = useState(false);
  const isTest = current.account.environment === "test";
  usePageKeys(salesKeys);
  useHotKey("1,2,3,4,5,6,7", (key) => {
    const chosen = salesTabs[Number(key) - 1];
    if (chosen !== undefined) void navigate({ to: "/sales", search: { tab: chosen } });
  });
  useHotKey("n", () => setIsRecording(true));
  useAsked("record_sale", () => setIsRecording(true));
  return (
    <Page
      title="Sales"
      lead={<SyncLead overview={overview.data} />}
      action={
        <Button onClick={() => setIsRecording(true)} rightSection={<Kbd size="xs">N</Kbd>}>
          Record a sale
        </Button>
      }
    >
      <nav className="sales-tabs" aria-label="Sales">
        {salesTabs.map((one) => (
          <Link
            key={one}
            to="/sales"
            search={{ tab: one }}
            className="sales-tab"
            aria-current={one === tab ? "page" : undefined}
            // The router would mark every tab: they differ in their search alone.
            activeProps={{}}
          >
            {tabWords[one]}
            <TabCount tab={one} overview={overview.data} />
          </Link>
        ))}
      </nav>
      {tab === "pull" ? (
        <PullPanel />
      ) : tab === "settle" ? (
        <SettlePanel overview={overview.data} />
      ) : tab === "ledger" ? (
        <LedgerPanel currency={current.account.currency} />
      ) : (
        // Another tab is another list: its selection begins empty.
        <ListingsPanel key={tab} tab={tab} isTest={isTest} />
      )}
      <RecordSaleDialog
        opened={isRecording}
        currency={current.account.currency}
        onClose={() => setIsRecording(false)}
      />
    </Page>
  );
}

function countOf(tab: SalesTab, overview: SalesOverview): number | null {
  const { listings } = overview;
  switch (tab) {
    case "live":
      return listings.live + listings.publishing;
    case "pull":
      return overview.to_pull;
    case "settle":
      return overview.unmatched + overview.differences + overview.copies_in_review;
    case "sold":
    case "ended":
    case "failed":
      return listings[tab];
    case "ledger":
      return null;
  }
}

/** Counts of what waits for somebody stand out. */
function TabCount({ tab, overview }: { tab: SalesTab; overview: SalesOverview | undefined }) {
  const count = overview === undefined ? null : countOf(tab, overview);
  if (count === null || count === 0) return null;
  const waits = tab === "settle" || tab === "failed" || tab === "pull";
  return (
    <span className="sales-count" data-tone={waits ? "waits" : undefined}>
      {count.toLocaleString()}
    </span>
  );
}

/** How fresh it is, and why not where it is not. */
function SyncLead({ overview }: { overview: SalesOverview | undefined }) {
  const readNow = useMutation(
    trpc.sales.syncNow.mutationOptions({
      onSuccess: () => void refreshSales(),
      onError: (error) => tellProblem(error, { title: "It was not read" }),
    }),
  );
  if (overview === undefined) return "What is for sale, what was sold, and what it came to.";
  const { sync } = overview;
  if (sync === null) {
    return "What is for sale, what was sold, and what it came to. Publish cards from the inventory to begin.";
  }
  return (
    <>
      {sync.failure === null ? (
        sync.synced_at === null ? (
          "eBay is being read for the first time."
        ) : (
          <>
            eBay was read <RelativeTime at={sync.synced_at} />.
          </>
        )
      ) : (
        <output className="sales-trouble">
          <IconAlertTriangle size={16} aria-hidden /> {syncFailureOf(sync.failure)}
        </output>
      )}{" "}
      <Button
        size="compact-xs"
        variant="subtle"
        loading={readNow.isPending}
        onClick={() => readNow.mutate()}
      >
        Read it now
      </Button>
    </>
  );
}
