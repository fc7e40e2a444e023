import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import file from "@size-limit/file";
import sizeLimit from "size-limit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildInto } from "./build-pages.ts";

/** KiB of JavaScript, gzipped, that a browser loads before a page stands: the shell and everything the page imports. */
const mostKib = { firstPage: 240, inventory: 280, page: 300, lazyFile: 140 };
const bounds: Record<string, number> = {
  "src/pages/dashboard/dashboard.tsx": mostKib.firstPage,
  "src/pages/inventory/inventory.tsx": mostKib.inventory,
};

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

let folder: string;
let manifest: Record<string, Chunk>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardvault-sizes-"));
  await buildInto(folder, ["--manifest"]);
  const text = await readFile(join(folder, ".vite/manifest.json"), "utf8");
  manifest = JSON.parse(text) as Record<string, Chunk>;
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files of a chunk and of all that it imports, without what is loaded when it is needed. */
function filesOf(name: string, into = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined || into.has(chunk.file)) return into;
  into.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, into);
  return into;
}

async function kibOf(files: Iterable<string>): Promise<number> {
  const scripts = [...files].filter((name) => name.endsWith(".js"));
  const check = { files: scripts.map((name) => join(folder, name)), gzip: true };
  const [result] = (await sizeLimit([file], { checks: [check] })) as { size?: number }[];
  return Math.ceil((result?.size ?? Number.NaN) / 102.4) / 10;
}

function entry(): [string, Chunk] {
  const found = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true);
  if (found === undefined) throw new Error("The build has no entry");
  return found;
}

test("no page loads more JavaScript than its bound, and no file that is loaded later is larger than its own", async () => {
  const [name, { dynamicImports = [] }] = entry();
  const over: string[] = [];
  for (const page of dynamicImports.filter((one) => one.startsWith("src/pages/"))) {
    const kib = await kibOf(filesOf(page, filesOf(name)));
    const most = bounds[page] ?? mostKib.page;
    if (!(kib <= most)) over.push(`${page}: ${kib} KiB of ${most}`);
  }
  for (const chunk of Object.values(manifest)) {
    if (!chunk.file.endsWith(".js")) continue;
    const kib = await kibOf([chunk.file]);
    if (!(kib <= mostKib.lazyFile)) over.push(`${chunk.file}: ${kib} KiB of ${mostKib.lazyFile}`);
  }
  expect(dynamicImports).toEqual(expect.arrayContaining(Object.keys(bounds)));
  expect(over).toEqual([]);
});

test("the sign-in page is within the first page's bound", async () => {
  expect(await kibOf(filesOf(entry()[0]))).toBeLessThanOrEqual(mostKib.firstPage);
});
