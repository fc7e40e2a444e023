import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";
import { createGunzip } from "node:zlib";
import {
  readScryfallCard,
  readTcgdexCard,
  readTcgdexCardFile,
  readTcgdexSetFile,
  splitJsonObjects,
} from "@cardvault/catalogue";
import type { CatalogueEntry, TcgdexSet } from "@cardvault/catalogue";

export const catalogueSources = ["tcgdex", "scryfall"] as const;
export type CatalogueSource = (typeof catalogueSources)[number];

/** One thing of a list, and how far the list has been read with it. */
interface ListItem {
  /** Null: nothing that a catalogue can hold. */
  readonly entry: CatalogueEntry | null;
  readonly position: number;
}

/** A public card list on this machine. */
export interface CardList {
  /** The same for the same list, so that an import can go on. */
  readonly listKey: string;
  /** In the unit of positions; null where it is not known before the end. */
  readonly total: number | null;
  /** What comes after a position. */
  read(fromPosition: number): AsyncGenerator<ListItem>;
}

/** A list in a file of JSON (an array, or one object a line; `.gz` too), or TCGdex's repository in a folder. */
export async function openCardList(source: CatalogueSource, path: string): Promise<CardList> {
  const facts = await stat(path);
  if (facts.isDirectory()) return openRepository(path);
  const isPacked = extname(path) === ".gz";
  const read = source === "tcgdex" ? readTcgdexCard : readScryfallCard;
  return {
    listKey: `${basename(path)} ${facts.size} ${Math.round(facts.mtimeMs)}`,
    // Positions count unpacked bytes.
    total: isPacked ? null : facts.size,
    async *read(fromPosition) {
      const bytes = isPacked
        ? skipped(createReadStream(path).pipe(createGunzip()), fromPosition)
        : createReadStream(path, { start: fromPosition });
      for await (const { text, endByte } of splitJsonObjects(bytes, fromPosition)) {
        yield { entry: read(parsed(text)), position: endByte };
      }
    },
  };
}

/** What JSON.parse makes of it is looked at by a schema; a `__proto__` in it is a member like others. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* skipped(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    if (left >= chunk.length) left -= chunk.length;
    else {
      yield left === 0 ? chunk : chunk.subarray(left);
      left = 0;
    }
  }
}

/** `data/<series>/<set>.ts` beside `data/<series>/<set>/<number>.ts`; read in the order of names. */
async function openRepository(folder: string): Promise<CardList> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && extname(entry.name) === ".ts")
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  return {
    listKey: `${basename(folder)} ${files.length} files`,
    total: files.length,
    async *read(fromPosition) {
      const sets = new Map<string, TcgdexSet | null>();
      for (let at = fromPosition; at < files.length; at += 1) {
        const file = files[at] ?? "";
        const setFolder = join(folder, file, "..");
        let set = sets.get(setFolder);
        if (set === undefined) {
          set = readTcgdexSetFile(await readFile(`${setFolder}.ts`, "utf8").catch(() => ""));
          sets.set(setFolder, set);
        }
        const number = basename(file, ".ts");
        const entry =
          set === null
            ? null
            : readTcgdexCardFile(await readFile(join(folder, file), "utf8"), number, set);
        yield { entry, position: at + 1 };
      }
    },
  };
}
