import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A source in the project's own format. */
export function formatted(source: string): string {
  const { stdout, status, stderr } = spawnSync(
    join(root, "node_modules/.bin/oxfmt"),
    ["--stdin-filepath=openapi.ts"],
    { cwd: root, input: source, encoding: "utf8", maxBuffer: 16 * 1_024 * 1_024 },
  );
  if (status !== 0) throw new Error(`The formatter failed:\n${stderr}`);
  return stdout;
}
