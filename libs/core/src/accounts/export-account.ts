import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { VaultError } from "@cardvault/contract";
import { exportAccountRows } from "@cardvault/db";
import type { PictureFormat } from "@cardvault/photos";
import type { Access } from "../context.ts";
import { originalKey } from "../photos/picture-files.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

type Needs = Pick<Services, "db" | "clock" | "pictureStore">;

/** What stands in `manifest.json`. */
export interface ExportManifest {
  format: "cardvault-account";
  version: 1;
  account_id: string;
  /** Everything but the pictures is as it was at this moment. */
  taken_at: string;
  files: { name: string; rows: number; bytes: number; sha256: string }[];
  /** By their names: `missing` are those that the store did not have, `changed` those that it has otherwise than they came. */
  pictures: { count: number; bytes: number; missing: string[]; changed: string[] };
}

const manifestFile = "manifest.json";
const sumsFile = "SHA256SUMS";

/**
 * Writes an account into a folder: a file of lines for each table, the pictures as they came, and the sums of
 * all of them. The trail says so before anything is read. It is written beside and takes its name when it is whole: what was interrupted is begun again.
 * @param folder must not be there
 * @throws VaultError `not_found`; `conflict` where the folder is there
 */
export async function exportAccount(
  { db, clock, pictureStore }: Needs,
  access: Pick<Access, "accountId" | "actor">,
  folder: string,
  onFile: (name: string, rows: number) => void = () => undefined,
): Promise<ExportManifest> {
  const { accountId } = access;
  if (await isThere(folder)) {
    throw new VaultError("conflict", { message: `${folder} is there already.` });
  }
  await db.transaction((tx) => writeTrail(tx, access, clock.now(), "account.exported", accountId));
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  // Customers' data: for whoever exports them alone.
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const sums = await LineFile.open(join(partial, sumsFile));
  const files: ExportManifest["files"] = [];
  let file: LineFile | undefined;
  const endFile = async (): Promise<void> => {
    if (file === undefined) return;
    const { name, rows } = file;
    const { bytes, sha256 } = await file.end();
    files.push({ name, rows, bytes, sha256 });
    await sums.write(`${sha256}  ${name}\n`);
    onFile(name, rows);
    file = undefined;
  };
  try {
    const { takenAt } = await exportAccountRows(db, accountId, async (table, lines) => {
      const name = `${table}.ndjson`;
      if (file?.name !== name) {
        await endFile();
        file = await LineFile.open(join(partial, name), name);
      }
      await file.writeLines(lines);
    });
    await endFile();
    const pictures = await writePictures({ pictureStore, accountId, partial, sums });
    onFile("pictures", pictures.count);
    const manifest: ExportManifest = {
      format: "cardvault-account",
      version: 1,
      account_id: accountId,
      taken_at: takenAt.toISOString(),
      files,
      pictures,
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    const sha256 = await writeWhole(join(partial, manifestFile), Buffer.from(text));
    await sums.write(`${sha256}  ${manifestFile}\n`);
    await sums.end();
    await rename(partial, folder);
    return manifest;
  } finally {
    await file?.close();
    await sums.close();
  }
}

/** Each original under the name of the sum that it came with, which is checked on the way. */
async function writePictures({
  pictureStore,
  accountId,
  partial,
  sums,
}: Pick<Needs, "pictureStore"> & {
  accountId: string;
  partial: string;
  sums: LineFile;
}): Promise<ExportManifest["pictures"]> {
  const written: ExportManifest["pictures"] = { count: 0, bytes: 0, missing: [], changed: [] };
  const lines = createInterface({ input: createReadStream(join(partial, "pictures.ndjson")) });
  for await (const line of lines) {
    const { sha256, format } = JSON.parse(line) as { sha256: string; format: PictureFormat };
    const place = { accountId, contentHash: Buffer.from(sha256, "hex") };
    const bytes = await pictureStore.get(originalKey(place, format));
    if (bytes === null) {
      written.missing.push(sha256);
      continue;
    }
    const name = `pictures/${sha256.slice(0, 2)}/${sha256}.${format}`;
    await mkdir(dirname(join(partial, name)), { recursive: true });
    const sum = await writeWhole(join(partial, name), bytes);
    await sums.write(`${sum}  ${name}\n`);
    if (sum !== sha256) written.changed.push(sha256);
    written.count += 1;
    written.bytes += bytes.length;
  }
  return written;
}

/** A file that is written from its beginning to its end, with the sum of what was written. */
class LineFile {
  readonly name: string;
  rows = 0;
  readonly #handle: FileHandle;
  readonly #sum = createHash("sha256");
  #bytes = 0;
  #isOpen = true;

  private constructor(handle: FileHandle, name: string) {
    this.#handle = handle;
    this.name = name;
  }

  static async open(path: string, name = ""): Promise<LineFile> {
    return new LineFile(await open(path, "wx", 0o600), name);
  }

  async writeLines(rows: readonly unknown[]): Promise<void> {
    await this.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    this.rows += rows.length;
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#handle.writeFile(bytes);
    this.#sum.update(bytes);
    this.#bytes += bytes.length;
  }

  /** On the disk, so that a power cut leaves no export that looks whole. */
  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.#handle.sync();
    await this.close();
    return { bytes: this.#bytes, sha256: this.#sum.digest("hex") };
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

/** @returns the sum */
async function writeWhole(path: string, bytes: Buffer): Promise<string> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return sumOf(bytes);
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
