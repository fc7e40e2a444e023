import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawDemoPictures, seedDemo } from "@cardvault/demo";
import type { DemoAccount } from "@cardvault/demo";

/** How to get in: kept in a file of mode 0600, so that a later start can print it again. */
export type Credentials = DemoAccount;

/**
 * The demonstration account of the embedded database. It is made at the first start; until its
 * credentials are safely written, a killed start makes the next one do it again.
 */
export async function provideDemo(
  options: {
    readonly dataDir: string;
    readonly databaseUrl: string;
    readonly encryptionKeys: string;
    readonly receiverUrl: string;
  },
  say: (line: string) => void,
): Promise<Credentials> {
  const file = join(options.dataDir, "credentials.json");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Credentials;
  say("Making the demonstration account");
  const { databaseUrl, encryptionKeys, receiverUrl } = options;
  const photoFolder = photoFolderOf(options.dataDir);
  const credentials = await seedDemo({ databaseUrl, encryptionKeys, receiverUrl, photoFolder });
  await writeFile(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  return credentials;
}

/** Where api looks for pictures. */
function photoFolderOf(dataDir: string): string {
  return join(dataDir, "photos");
}

/**
 * Draws what is not drawn yet, while the service is answering already; what a stop leaves undrawn is
 * the next start's.
 */
export async function drawPictures(
  dataDir: string,
  databaseUrl: string,
  signal: AbortSignal,
): Promise<void> {
  await drawDemoPictures({ databaseUrl, photoFolder: photoFolderOf(dataDir), signal });
}
