import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Room {
  /** `libs/kit` */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace. */
export function rooms(): readonly Room[] {
  return ["libs", "services", "tools"].flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((name) => `${group}/${name}`)
      .filter((path) => existsSync(join(root, path, "package.json")))
      .map((path) => ({
        path,
        manifest: JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Manifest,
      })),
  );
}

/** The files that git has or would take, with their text; binary ones are left out. */
export function files(): readonly { readonly path: string; readonly text: string }[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return listed
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}

export interface Import {
  readonly name: string;
  readonly isTypeOnly: boolean;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;"']*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gu;

/** What a source imports, statically or dynamically. */
export function importsOf(text: string): readonly Import[] {
  return [...text.matchAll(importPattern)].map((match) => ({
    name: match[2] ?? match[3] ?? match[4] ?? "",
    isTypeOnly: match[1] !== undefined,
  }));
}

/** `@scope/name` or `name` of an import, without the path within; "" for a relative one. */
export function packageOf(importName: string): string {
  if (importName.startsWith(".") || importName.startsWith("node:")) return "";
  const [first = "", second = ""] = importName.split("/");
  return importName.startsWith("@") ? `${first}/${second}` : first;
}
