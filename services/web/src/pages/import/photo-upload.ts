import { currentAccountId } from "../../app/account.ts";
import { isSignInRequired, problemOf } from "../../app/problem.ts";
import { noteSessionEnded } from "../../app/session-ended.ts";
import { trpcClient } from "../../app/trpc.ts";
import { forgetFile, forgetImport, keepFile, keptFiles } from "./kept-files.ts";
import { canHash, inOrder, isNoise, nameOf, refusalOf, sha256Of } from "./read-files.ts";
import type { Sender, Sent } from "./sender.ts";

/** `reading`: its hash is made. `known`: the account has it, nothing was sent. `waiting`: for its turn. */
export type FileState = "reading" | "waiting" | "sending" | "here" | "known" | "refused";

export interface UploadFile {
  /** The hash once it is known; before it, a name of this page alone. */
  key: string;
  name: string;
  size: number;
  sentBytes: number;
  state: FileState;
  message: string | null;
}

export interface UploadState {
  files: readonly UploadFile[];
  /** `paused`: nobody is signed in, or in another account. */
  link: "idle" | "busy" | "offline" | "paused";
  /** Whether a reload goes on by itself with all that has not arrived. */
  isKept: boolean;
  /** Why reading or announcing has stopped; what was read is sent. */
  problem: unknown;
}

export interface PhotoUpload {
  state: () => UploadState;
  subscribe: (listener: () => void) => () => void;
  add: (files: readonly File[]) => Promise<void>;
  /** Sends at once what waits for its next try. */
  resume: () => void;
  dismiss: (key: string) => void;
  /** The import was discarded or is being made: nothing of it is kept. */
  forget: () => void;
}

/** So many are announced together, so that the first are sent while the last are read. */
const announcedTogether = 50;
/** So many are looked at before the page has its turn. */
const listedTogether = 100;
/** So many are with the sender at once. It looks at all that it has for each that comes or goes. */
const mostWithSender = 9;
const tellEveryMs = 200;
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

interface Entry extends UploadFile {
  file: Blob | null;
}

/** Reads, announces and sends the files of one import, and goes on after whatever stopped it. */
function openUpload(accountId: string, importId: string): PhotoUpload {
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let state: UploadState = { files: [], link: "idle", isKept: true, problem: null };
  let told: ReturnType<typeof setTimeout> | undefined;
  let sender: Promise<Sender> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const withSender = new Set<string>();
  let failures = 0;
  let isGone = false;
  let serial = 0;
  /** One list after the other, so that they stand in the order in which they were dropped. */
  let line: Promise<void> = Promise.resolve();

  function tell(now: Partial<UploadState> = {}): void {
    state = { ...state, ...now };
    told ??= setTimeout(() => {
      told = undefined;
      // An entry is replaced where it changes: what was told stays as it was.
      const files: UploadFile[] = [...entries.values()];
      const isAtWork = files.some(({ state }) => isUnderWay(state));
      const link = isAtWork ? (state.link === "idle" ? "busy" : state.link) : "idle";
      state = { ...state, files, link };
      for (const listener of listeners) listener();
    }, tellEveryMs);
  }
  function change(key: string, values: Partial<Entry>): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.set(key, { ...entry, ...values });
    tell();
  }
  function settle(key: string, state: "here" | "known" | "refused", message?: string): void {
    change(key, { state, file: null, message: message ?? null, sentBytes: 0 });
    void forgetFile(importId, key);
  }

  /** Sends it when its turn comes. */
  function send(key: string): void {
    if (entries.get(key)?.file == null) return;
    change(key, { state: "waiting" });
    sendNext();
  }
  function sendNext(): void {
    if (isGone || again !== undefined || state.link === "paused") return;
    for (const { key, state: at } of entries.values()) {
      if (withSender.size >= mostWithSender) return;
      if (at === "waiting" && !withSender.has(key)) void giveToSender(key);
    }
  }
  async function giveToSender(key: string): Promise<void> {
    const entry = entries.get(key);
    if (entry?.file == null) return;
    if (currentAccountId() !== accountId) {
      tell({ link: "paused" });
      return;
    }
    withSender.add(key);
    change(key, { state: "sending" });
    sender ??= import("./sender.ts").then(({ openSender }) =>
      openSender({
        importId,
        accountId,
        onProgress: (of, sentBytes) => change(of, { sentBytes }),
        onSent: (of, sent) => ended(of, sent),
      }),
    );
    try {
      (await sender).send(key, entry.name, entry.file);
    } catch (error) {
      // The chunk could not be loaded, say without a connection.
      sender = undefined;
      ended(key, { kind: "again", why: "offline", waitMs: 0 });
      tell({ problem: problemOf(error).status === null ? null : error });
    }
  }
  function ended(key: string, sent: Sent): void {
    withSender.delete(key);
    settleSent(key, sent);
    sendNext();
  }
  function settleSent(key: string, sent: Sent): void {
    if (sent.kind === "here") {
      failures = 0;
      if (state.link !== "idle") state = { ...state, link: "busy" };
      settle(key, "here");
      return;
    }
    if (sent.kind === "refused") {
      settle(key, "refused", sent.message);
      return;
    }
    change(key, { state: "waiting", sentBytes: 0 });
    if (sent.why === "signed_out") {
      noteSessionEnded();
      tell({ link: "paused" });
      return;
    }
    tell({ link: sent.why === "offline" ? "offline" : "busy" });
    if (again !== undefined) return;
    const waitMs = Math.min(firstWaitMs * 2 ** failures, longestWaitMs);
    failures += 1;
    again = setTimeout(resume, Math.max(waitMs, sent.waitMs));
  }
  function resume(): void {
    clearTimeout(again);
    again = undefined;
    if (state.link === "paused") state = { ...state, link: "busy" };
    sendNext();
  }

  /** Announces what was read, keeps what is needed, and sends it. */
  async function announce(read: readonly Entry[]): Promise<void> {
    if (read.length === 0 || isGone) return;
    const { files } = await persistently(() =>
      trpcClient.photoImports.announce.mutate({
        id: importId,
        files: read.map(({ key, name, size }) => ({ name, sha256: key, byte_size: size })),
      }),
    );
    const needed = new Set(files.filter((one) => one.needed).map(({ sha256 }) => sha256));
    for (const { key, name, size, file } of read) {
      if (!needed.has(key)) {
        if (entries.get(key)?.state === "reading") settle(key, "known");
        continue;
      }
      if (entries.get(key)?.state !== "reading" || file === null) continue;
      const kept = { importId, sha256: key, name, size, keptAtMs: Date.now(), file };
      if (!(await keepFile(kept))) tell({ isKept: false });
      send(key);
    }
  }
  /** As often as it takes, while the service is away. */
  async function persistently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await call();
        if (state.link === "paused") state = { ...state, link: "busy" };
        return answer;
      } catch (error) {
        const { status } = problemOf(error);
        if (isSignInRequired(error)) noteSessionEnded();
        const isPassing = status === null || status === 401 || status === 429 || status >= 500;
        if (!isPassing || isGone) throw error;
        tell({ link: status === 401 ? "paused" : "offline" });
        await new Promise((resolve) => {
          setTimeout(resolve, Math.min(firstWaitMs * 2 ** tries, longestWaitMs));
        });
      }
    }
  }

  async function read(files: readonly File[]): Promise<void> {
    const listed = await list(inOrder(files.filter((file) => !isNoise(file))));
    if (!canHash) {
      sendUnannounced(listed);
      return;
    }
    let batch: Entry[] = [];
    for (const entry of listed) {
      if (entry.file === null) continue;
      const hashed = await hash(entry);
      if (hashed !== null) batch.push(hashed);
      if (batch.length < announcedTogether) continue;
      await announce(batch);
      batch = [];
    }
    await announce(batch);
  }
  /** As entries, a few at a time: a browser asks the disk for the size of each, and nothing else happens meanwhile. */
  async function list(files: readonly File[]): Promise<Entry[]> {
    const listed: Entry[] = [];
    for (let at = 0; at < files.length; at += listedTogether) {
      if (at > 0) await new Promise((resolve) => setTimeout(resolve));
      for (const file of files.slice(at, at + listedTogether)) {
        serial += 1;
        const refusal = refusalOf(file);
        const common = { key: `#${serial}`, name: nameOf(file), size: file.size, sentBytes: 0 };
        const entry: Entry =
          refusal === null
            ? { ...common, state: "reading", message: null, file }
            : { ...common, state: "refused", message: refusal, file: null };
        entries.set(entry.key, entry);
        listed.push(entry);
      }
      tell({ problem: null });
    }
    return listed;
  }
  /** Over plain HTTP nothing can be known beforehand: each is sent, and stands where it arrives. */
  function sendUnannounced(listed: readonly Entry[]): void {
    tell({ isKept: false });
    for (const { key, file } of listed) if (file !== null) send(key);
  }
  /** The entry under its hash, or null where it needs nothing more. */
  async function hash(entry: Entry): Promise<Entry | null> {
    try {
      const key = await sha256Of(entry.file ?? new Blob());
      const known = entries.get(key);
      entries.delete(entry.key);
      // The same bytes under another name are announced too: the preview says so.
      if (known === undefined || known.state === "refused") entries.set(key, { ...entry, key });
      tell();
      return { ...entry, key };
    } catch {
      change(entry.key, { state: "refused", message: "It could not be read. Was it moved?" });
      return null;
    }
  }

  /** What a reload has interrupted. */
  async function restore(): Promise<void> {
    const kept = await keptFiles(importId);
    const found = kept.map(({ sha256, name, size, file }): Entry => {
      const entry = { key: sha256, name, size, sentBytes: 0, message: null, file };
      return { ...entry, state: "reading" };
    });
    for (const entry of found) entries.set(entry.key, entry);
    tell();
    for (let at = 0; at < found.length; at += announcedTogether) {
      await announce(found.slice(at, at + announcedTogether));
    }
  }
  function enqueue(work: () => Promise<void>): Promise<void> {
    line = line.then(work).catch((error: unknown) => {
      for (const [key, entry] of entries) if (entry.state === "reading") entries.delete(key);
      tell({ problem: error });
    });
    return line;
  }

  window.addEventListener("online", resume);
  void enqueue(restore);
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (files) => enqueue(() => read(files)),
    resume,
    dismiss(key) {
      if (entries.get(key)?.state === "refused") entries.delete(key);
      tell();
    },
    forget() {
      isGone = true;
      clearTimeout(again);
      window.removeEventListener("online", resume);
      void sender?.then((open) => open.stop());
      entries.clear();
      uploads.delete(importId);
      void forgetImport(importId);
    },
  };
}

/** Whether a file is still on its way. */
export function isUnderWay(state: FileState): boolean {
  return state === "reading" || state === "waiting" || state === "sending";
}

/** Uploads go on when the page is left, so each is opened once. */
const uploads = new Map<string, PhotoUpload>();

/** The upload of an import in this tab; what an earlier page of this browser left behind goes on. */
export function uploadOf(accountId: string, importId: string): PhotoUpload {
  const known = uploads.get(importId);
  if (known !== undefined) return known;
  const opened = openUpload(accountId, importId);
  uploads.set(importId, opened);
  return opened;
}
