import { createHash } from "node:crypto";
import { importSettings, maxImportBytes, maxImportColumns, VaultError } from "@cardvault/contract";
import type { CardImport } from "@cardvault/contract";
import {
  deleteImport,
  findMapping,
  getImport,
  importPartBytes,
  insertImport,
  insertImportPart,
  readImportPart,
  writeImport,
} from "@cardvault/db";
import type { Database, ImportReading } from "@cardvault/db";
import { EncodingDetector, readHead } from "@cardvault/exchange";
import type { CsvRow } from "@cardvault/exchange";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { importAnswer } from "./import-answer.ts";

export interface UploadedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** A cell of the sample is shown, not read. */
const sampleCellChars = 200;
const sampleChars = 64 * 1024;

/**
 * Takes an uploaded list in, piece by piece, and reads its head: encoding, delimiter, headers, the tool
 * that wrote it, and a mapping, saved or proposed. What breaks off leaves nothing behind.
 * @throws VaultError `body_too_large`; `validation_failed` for an empty file or one that is no text
 */
export async function receiveImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, actor }: Access,
  file: UploadedFile,
): Promise<CardImport> {
  const id = newId("imp");
  // A name is whatever a client wrote into the form, also what no database holds.
  const fileName =
    file.name.replaceAll("\u0000", "").trim().slice(-200).toWellFormed() || "list.csv";
  await insertImport(db, { id, accountId, fileName, createdBy: actor.id, now: clock.now() });
  try {
    const received = await storeFile(db, id, file.bytes);
    const reading = await readingOf(db, id, received);
    const saved = await findMapping(db, accountId, reading.signature);
    const { mapping, layout, ...rest } = reading;
    await writeImport(
      db,
      id,
      {
        status: reading.problem === undefined ? "uploaded" : "unreadable",
        fileSize: received.size,
        fileHash: received.hash,
        reading: { ...rest, layout },
        mapping: saved?.mapping ?? mapping,
        mappingFrom: saved !== null ? "saved" : layout !== null ? "layout" : "guessed",
        settings: importSettings.parse({}),
      },
      clock.now(),
    );
  } catch (error) {
    await deleteImport(db, id);
    throw error;
  }
  return importAnswer(await getImport(db, accountId, id));
}

interface Received {
  size: number;
  hash: Buffer;
  encoding: ReturnType<EncodingDetector["end"]>;
  lines: number;
}

async function storeFile(
  db: Database,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Received> {
  const detector = new EncodingDetector();
  const hash = createHash("sha256");
  const part = Buffer.allocUnsafe(importPartBytes);
  let filled = 0;
  let size = 0;
  let lines = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxImportBytes) {
      const message = `A list can have at most ${maxImportBytes / 1024 / 1024} MB.`;
      throw new VaultError("body_too_large", { message });
    }
    detector.push(chunk);
    hash.update(chunk);
    lines += lineEnds(chunk);
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(chunk.length - at, part.length - filled);
      part.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < part.length) continue;
      await insertImportPart(
        db,
        id,
        Math.floor((size - chunk.length + at - 1) / part.length),
        part,
      );
      filled = 0;
    }
  }
  if (filled > 0) {
    await insertImportPart(db, id, Math.floor((size - 1) / part.length), part.subarray(0, filled));
  }
  return { size, hash: hash.digest(), encoding: detector.end(), lines };
}

function lineEnds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

type Reading = ImportReading & Pick<NonNullable<ReturnType<typeof readHead>>, "mapping">;

async function readingOf(
  db: Database,
  id: string,
  { encoding, lines, size }: Received,
): Promise<Reading> {
  const head = (await readImportPart(db, id, 0)) ?? new Uint8Array();
  const what = workbookName(head);
  if (what !== undefined) {
    const message = `The file is ${what} and no text. Save it as CSV and upload that.`;
    throw new VaultError("validation_failed", { details: [{ path: "file", message }] });
  }
  const found = size === 0 ? undefined : readHead(head, encoding);
  if (found === undefined) {
    const message = "There is no row in the file.";
    throw new VaultError("validation_failed", { details: [{ path: "file", message }] });
  }
  const { delimiter, headerRow, headers, signature, start, sample, layout, mapping } = found;
  const tooWide = headers.length > maxImportColumns;
  return {
    encoding,
    delimiter,
    headerRow,
    headers: headers.slice(0, maxImportColumns),
    signature,
    start,
    sample: shownRows(sample),
    layout,
    lines,
    mapping,
    ...(tooWide && { problem: `The list has more than ${maxImportColumns} columns.` }),
  };
}

/** So many of the first rows as can be sent with every answer. */
function shownRows(rows: readonly CsvRow[]): ImportReading["sample"] {
  let left = sampleChars;
  const sample: ImportReading["sample"] = [];
  for (const { row, cells } of rows) {
    const all = cells.slice(0, maxImportColumns).map((cell) => shown(cell));
    left -= all.reduce((sum, cell) => sum + cell.length, 0);
    if (left < 0) return sample;
    sample.push({ row, cells: all });
  }
  return sample;
}

/** As it can be kept: jsonb holds no NUL and no half of a character. */
function shown(cell: string): string {
  return cell.slice(0, sampleCellChars).replaceAll("\u0000", "\uFFFD").toWellFormed();
}

function workbookName(head: Uint8Array): string | undefined {
  const starts = (...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04)) return "an Excel workbook or another archive";
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return "an old Excel workbook";
  if (starts(0x25, 0x50, 0x44, 0x46)) return "a PDF";
  return undefined;
}
