import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileName = "running.json";

/**
 * Notes how to reach what is running, by the names of the services' own variables, for the operator's
 * command line. Only its owner can read it: it holds the encryption keys.
 */
export async function rememberRunning(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  await writeFile(join(dataDir, fileName), `${JSON.stringify(environment, null, 2)}\n`, {
    mode: 0o600,
  });
}

/** Nothing of this data folder runs any more. */
export async function forgetRunning(dataDir: string): Promise<void> {
  await rm(join(dataDir, fileName), { force: true });
}
