import type { Run, Scan } from "@cardvault/contract";
import { problemOf } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { newUuid } from "../../parts/new-uuid.ts";
import { claimRuns, newRun, storageKeysOf } from "./claim-run.ts";
import { openOutbox, readJson, writeJson } from "./outbox.ts";
import type { OutboxLink, Waiting } from "./outbox.ts";
import { openTill } from "./till.ts";
import type { Till } from "./till.ts";

/** What a run still has to tell the service. */
type Order =
  | { kind: "scan"; scanId: string; text: string }
  | { kind: "undo"; scanId: string; what: string };

/** What the service would not take. It stays until somebody has seen to it. */
export interface Refused {
  scanId: string;
  text: string;
  message: string;
}

/** The last thing that came of a scan, for the large line that is read from afar. */
export type Latest =
  | { kind: "scan"; scan: Scan }
  | { kind: "undone"; scan: Scan }
  | { kind: "refused"; refused: Refused };

export interface RunState {
  runId: string;
  /** Null before its first scan. */
  run: Run | null;
  /** Whether the service was asked what it knows of the run. */
  isKnown: boolean;
  /** The latest first; those that came from the service. */
  scans: readonly Scan[];
  hasMore: boolean;
  refused: readonly Refused[];
  waiting: readonly Waiting<Order>[];
  latest: Latest | null;
  link: OutboxLink;
  isKept: boolean;
}

export interface ScanRun {
  state: () => RunState;
  subscribe: (listener: () => void) => () => void;
  scan: (text: string) => void;
  /** The run's last move or change of place. Answers what there is to take back, or null. */
  undo: () => string | null;
  dismiss: (scanId: string) => void;
  loadMore: () => Promise<void>;
  resume: () => void;
}

const pageSize = 50;

/** Opens a run whose scans are sent in their order, however long that takes. */
function openRun(accountId: string, runId: string): ScanRun {
  const keys = storageKeysOf(accountId, runId);
  const listeners = new Set<() => void>();
  let isStarted = false;

  const outbox = openOutbox<Order>({
    storageKey: keys.scans,
    accountId,
    async send(order, signal) {
      if (!isStarted) {
        await trpcClient.scans.start.mutate({ run_id: runId }, { signal });
        await loadLog();
        isStarted = true;
      }
      const { scanId: scan_id } = order;
      if (order.kind === "scan") {
        const input = { run_id: runId, scan_id, text: order.text };
        take(await trpcClient.scans.scan.mutate(input, { signal }), "scan");
      } else {
        take(await trpcClient.scans.undo.mutate({ run_id: runId, scan_id }, { signal }), "undone");
      }
    },
    onRefused(order, { message }) {
      const text = order.kind === "scan" ? order.text : `Undo of ${order.what}`;
      const refused = { scanId: order.scanId, text, message };
      const all = [refused, ...state.refused];
      writeJson(keys.refused, all);
      put({ refused: all, latest: { kind: "refused", refused } });
    },
  });
  let state: RunState = {
    runId,
    run: null,
    isKnown: false,
    scans: [],
    hasMore: false,
    refused: (readJson(keys.refused) as Refused[] | null) ?? [],
    waiting: outbox.state().items,
    latest: null,
    link: "idle",
    isKept: true,
  };

  function put(next: Partial<RunState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }
  outbox.subscribe(() => {
    const { items, link, isKept } = outbox.state();
    put({ waiting: items, link, isKept });
  });

  function take({ scan, run }: { scan: Scan; run: Run }, kind: "scan" | "undone"): void {
    const others = state.scans.filter(({ scan_id }) => scan_id !== scan.scan_id);
    const scans = [scan, ...others].toSorted((left, right) => right.number - left.number);
    put({ scans, run, isKnown: true, latest: { kind, scan } });
  }
  async function loadLog(before?: number): Promise<void> {
    const page = await trpcClient.scans.list.query({
      run_id: runId,
      limit: pageSize,
      ...(before === undefined ? {} : { before }),
    });
    const known = new Map([...state.scans, ...page.data].map((scan) => [scan.scan_id, scan]));
    const scans = [...known.values()].toSorted((left, right) => right.number - left.number);
    put({ scans, run: page.run, isKnown: true, hasMore: page.has_more });
  }
  /** The log of a run that a reload has interrupted; a new one is not known there yet. */
  async function loadKnown(): Promise<void> {
    try {
      await loadLog();
    } catch (error) {
      if (problemOf(error).status === 404) put({ isKnown: true });
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scan: (text) => outbox.add({ kind: "scan", scanId: newUuid(), text }),
    undo() {
      const last = outbox.state().items.at(-1)?.item;
      if (last !== undefined) {
        if (last.kind === "undo") return null;
        // One that nobody has heard of yet is simply not sent.
        if (!outbox.withdraw((item) => item === last)) {
          outbox.add({ kind: "undo", scanId: last.scanId, what: last.text });
        }
        return last.text;
      }
      const effect = state.scans.find(
        ({ outcome, undone_at }) =>
          undone_at === null && (outcome === "moved" || outcome === "place"),
      );
      if (effect === undefined) return null;
      outbox.add({ kind: "undo", scanId: effect.scan_id, what: effect.text });
      return effect.text;
    },
    dismiss(scanId) {
      const refused = state.refused.filter((one) => one.scanId !== scanId);
      writeJson(keys.refused, refused);
      put({ refused });
    },
    loadMore: () => loadLog(state.scans.at(-1)?.number),
    resume() {
      if (!state.isKnown) void loadKnown();
      outbox.resume();
    },
  };
}

/** What a tab scans with in an account: it goes on sending when the page is left. */
export interface Station {
  run: ScanRun;
  till: Till;
}
const stations = new Map<string, Promise<Station>>();

/** The tab's own: as it was before a reload, or one whose tab was closed while scans waited. */
export function stationOf(accountId: string): Promise<Station> {
  const known = stations.get(accountId);
  if (known !== undefined) return known;
  const opened = claimRuns(accountId).then(({ own, left }) => {
    for (const runId of left) {
      openRun(accountId, runId).resume();
      openTill(accountId, runId).resume();
    }
    return openStation(accountId, own);
  });
  stations.set(accountId, opened);
  return opened;
}

/** A new run in this tab; what the one before it still has to send is sent. */
export function beginRun(accountId: string): Promise<Station> {
  const opened = newRun(accountId).then((runId) => openStation(accountId, runId));
  stations.set(accountId, opened);
  return opened;
}

function openStation(accountId: string, runId: string): Station {
  return { run: openRun(accountId, runId), till: openTill(accountId, runId) };
}
