import type { CatalogueEntry } from "@cardvault/catalogue";
import { beginCatalogueImport, writeCatalogueCards, writeCatalogueImport } from "@cardvault/db";
import type { CatalogueImportState } from "@cardvault/db";
import type { Services } from "../services.ts";
import { openCardList } from "./card-list.ts";
import type { CatalogueSource } from "./card-list.ts";
import { catalogueRow } from "./catalogue-row.ts";

const chunkSize = 1_000;

export interface CatalogueImportOptions {
  source: CatalogueSource;
  /** A file or a folder of this machine. */
  path: string;
  /** Reads a list again that was imported before. */
  restart?: boolean | undefined;
  /** After each commit. */
  onProgress?: ((progress: CatalogueImportProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface CatalogueImportProgress {
  /** Cards written, this time and before. */
  written: number;
  /** What was no card, or one that a catalogue cannot hold. */
  skipped: number;
  /** 0 to 1; null where the list's length is not known. */
  share: number | null;
  isDone: boolean;
}

/**
 * Reads a public card list into the catalogue, a thousand cards a commit, each with how far the list
 * has come: an import that is killed goes on there, and one that is repeated writes nothing twice.
 * @throws ListFormatError where the list cannot be read on; what came before it stays
 */
export async function importCatalogue(
  { db, clock }: Pick<Services, "db" | "clock">,
  options: CatalogueImportOptions,
): Promise<CatalogueImportProgress> {
  const { source, path, restart = false, onProgress, signal } = options;
  const list = await openCardList(source, path);
  const place = { source, listKey: list.listKey };
  const begun = await beginCatalogueImport(
    db,
    { ...place, total: list.total, restart },
    clock.now(),
  );
  const state: CatalogueImportState = { ...begun };
  if (state.status === "done") return progressOf(state);

  let entries: CatalogueEntry[] = [];
  let read = 0;
  const commit = async (): Promise<void> => {
    await db.transaction(async (tx) => {
      await writeCatalogueCards(tx, source, entries.map(catalogueRow), clock.now());
      await writeCatalogueImport(tx, place, state, clock.now());
    });
    entries = [];
    read = 0;
    onProgress?.(progressOf(state));
  };

  for await (const { entry, position } of list.read(state.position)) {
    if (entry === null) state.skipped += 1;
    else {
      entries.push(entry);
      state.written += 1;
    }
    state.position = position;
    read += 1;
    if (read >= chunkSize) {
      await commit();
      signal?.throwIfAborted();
    }
  }
  state.status = "done";
  await commit();
  return progressOf(state);
}

function progressOf(state: CatalogueImportState): CatalogueImportProgress {
  const isDone = state.status === "done";
  const share = state.total === null ? null : Math.min(1, state.position / state.total);
  return {
    written: state.written,
    skipped: state.skipped,
    share: isDone ? 1 : share,
    isDone,
  };
}
