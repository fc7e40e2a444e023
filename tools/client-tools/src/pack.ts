import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../../..");
const room = join(root, "libs/client");

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Builds the client as customers install it (JavaScript and its types) and packs it into a tarball.
 * @param folder where the tarball goes
 * @returns the tarball's path
 */
export function packClient(folder: string): string {
  const into = mkdtempSync(join(tmpdir(), "cardvault-client-"));
  try {
    run(
      join(root, "node_modules/.bin/tsc"),
      ["-p", join(room, "tsconfig.build.json"), "--outDir", join(into, "dist")],
      root,
    );
    const { name, version, description, engines } = JSON.parse(
      readFileSync(join(room, "package.json"), "utf8"),
    ) as Record<string, unknown>;
    const packed = {
      name,
      version,
      description,
      type: "module",
      engines,
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
      files: ["dist"],
    };
    writeFileSync(join(into, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
    cpSync(join(room, "README.md"), join(into, "README.md"));
    const target = resolve(folder);
    const file = run("npm", ["pack", "--silent", "--pack-destination", target], into).trim();
    return join(target, file);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
