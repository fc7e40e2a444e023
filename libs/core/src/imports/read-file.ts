import { importPartBytes, readImportPart } from "@cardvault/db";
import type { Database, ImportReading } from "@cardvault/db";
import { CsvReader } from "@cardvault/exchange";
import type { CsvFormat, CsvRow } from "@cardvault/exchange";

export interface FilePlace {
  /** A byte at which a row begins. */
  offset: number;
  row: number;
}

export interface RowsRead {
  rows: CsvRow[];
  /** Where the next ones begin. */
  next: FilePlace;
  isEnd: boolean;
}

/**
 * Reads rows of an uploaded list from any row's beginning on: at least so many, as long as there are
 * some, and not many more. The piece of the file that is read last is kept for the next call.
 */
export function fileReader(db: Database, importId: string, reading: ImportReading) {
  let kept: { position: number; bytes: Uint8Array | null } | undefined;
  const partAt = async (position: number): Promise<Uint8Array | null> => {
    if (kept?.position !== position) {
      kept = { position, bytes: await readImportPart(db, importId, position) };
    }
    return kept.bytes;
  };
  return async (from: FilePlace, atLeast: number): Promise<RowsRead> => {
    const { encoding, delimiter } = reading as ImportReading & CsvFormat;
    const reader = new CsvReader({ encoding, delimiter }, from);
    const rows: CsvRow[] = [];
    const read = (isEnd: boolean): RowsRead => {
      const last = rows.at(-1);
      return {
        rows,
        next: last === undefined ? from : { offset: last.end, row: last.row + 1 },
        isEnd,
      };
    };
    let position = Math.floor(from.offset / importPartBytes);
    let skip = from.offset % importPartBytes;
    for (;;) {
      const bytes = await partAt(position);
      for (const row of bytes === null ? reader.end() : reader.push(bytes.subarray(skip))) {
        rows.push(row);
        if (rows.length >= atLeast) return read(false);
      }
      if (bytes === null) return read(true);
      position += 1;
      skip = 0;
    }
  };
}
