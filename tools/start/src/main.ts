import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { migrate } from "@cardvault/db";
import { drawPictures, provideDemo } from "./demo.ts";
import type { Credentials } from "./demo.ts";
import { lockDataFolder } from "./lock.ts";
import type { DataFolderLock } from "./lock.ts";
import { forgetRunning, rememberRunning } from "./running.ts";
import { publicUrl, requirePorts, startPrograms, waitReady } from "./programs.ts";
import { provideDatabase, provideJobStore } from "./servers.ts";
import { encryptionKeys, readSettings, StartError } from "./settings.ts";
import type { StartSettings } from "./settings.ts";
import type { Supervised } from "./supervisor.ts";
import { buildWeb } from "./web.ts";

// The one-command start. It owns a process tree: PostgreSQL and MongoDB, then api, worker and the
// example receiver; it takes them down in the opposite order.

const lookAtParentEveryMs = 500;
const startingDeadlineMs = 15_000;
const say = (line: string): void => console.log(line);

/** In the order of starting; stopped from the end. */
const layers: (readonly Supervised[])[] = [];
let lock: DataFolderLock | undefined;
let starting: Promise<void> | undefined;
let stopping: Promise<void> | undefined;

/** The demonstration's pictures are drawn beside the running service. */
const drawing = { abort: new AbortController(), done: Promise.resolve() };

async function stopEverything(): Promise<void> {
  drawing.abort.abort();
  await drawing.done.catch(() => undefined);
  // What is just being started has to be there before it can be stopped.
  await Promise.race([starting?.catch(() => undefined), pause(startingDeadlineMs)]);
  for (const layer of layers.toReversed()) {
    await Promise.all(layer.map((one) => one.stop()));
  }
  if (lock !== undefined) await forgetRunning(readSettings().dataDir);
  await lock?.release();
}

/** Stops once, however often it is asked, and ends the process with this status. */
function stop(status: number): void {
  stopping ??= stopEverything().then(
    () => process.exit(status),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}

function watchSignalsAndParent(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stopping === undefined) say("\nStopping …");
      stop(0);
    });
  }
  const parent = process.ppid;
  setInterval(() => {
    if (process.env["CARDVAULT_PARENT"] === String(parent) && process.ppid !== parent) stop(0);
  }, lookAtParentEveryMs);
}

function printWelcome(settings: StartSettings, credentials: Credentials | undefined): void {
  const url = publicUrl(settings);
  say(`\nThe Card Vault is ready after ${(performance.now() / 1000).toFixed(1)} s: ${url}`);
  if (credentials !== undefined) {
    const { email, password, token, cardId } = credentials;
    say(`  sign in     ${email}  ${password}`);
    say(`  test token  ${token}`);
    say(
      `  receiver    http://127.0.0.1:${settings.receiverPort}/ prints here each event that arrives`,
    );
    say("\nPrice a card, and see its event arrive:\n");
    say(
      `curl -X PATCH ${url}/cards/${cardId} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"asking_price": {"amount": 1250, "currency": "USD"}}'\n`,
    );
  } else {
    say("A database of your own has no demonstration account: npm run operator -- --help");
  }
  say(`Data and logs: ${settings.dataDir}. Ctrl-C stops everything; the data stay.`);
}

async function start(): Promise<void> {
  const settings = readSettings();
  lock = await lockDataFolder(settings.dataDir);
  if (lock.wasLeft) say("An earlier start was killed; its lock is taken over");
  await requirePorts(settings, lock.wasLeft);
  const keys = await encryptionKeys(settings);

  // What does not need the other goes at the same time; what a failure leaves running is stopped by `stop`.
  const servers = Promise.allSettled([
    provideDatabase(settings, say).then((database) => {
      if (database.server !== undefined) layers.push([database.server]);
      return database;
    }),
    provideJobStore(settings, say).then((jobStore) => {
      if (jobStore.server !== undefined) layers.push([jobStore.server]);
      return jobStore;
    }),
    buildWeb(say),
  ]);
  const [database, jobStore, web] = await servers;
  if (database.status === "rejected") throw database.reason;
  if (jobStore.status === "rejected") throw jobStore.reason;
  if (web.status === "rejected") throw web.reason;
  if (stopping !== undefined) return;

  await migrate(database.value.url);
  const credentials = database.value.isEmbedded
    ? await provideDemo(
        {
          dataDir: settings.dataDir,
          databaseUrl: database.value.url,
          encryptionKeys: keys,
          receiverUrl: `http://127.0.0.1:${settings.receiverPort}/`,
        },
        say,
      )
    : undefined;
  if (stopping !== undefined) return;

  await rememberRunning(settings.dataDir, {
    DATABASE_URL: database.value.url,
    PUBLIC_URL: publicUrl(settings),
    VAULT_ENCRYPTION_KEYS: keys,
    ...(jobStore.value.mongodbUrl === undefined
      ? { JOB_STORE: "postgres" }
      : { JOB_STORE: "mongodb", MONGODB_URL: jobStore.value.mongodbUrl }),
  });
  const programs = startPrograms({
    settings,
    databaseUrl: database.value.url,
    mongodbUrl: jobStore.value.mongodbUrl,
    encryptionKeys: keys,
    webhookSecret: credentials?.webhookSecret,
    say,
  });
  layers.push(programs);
  await waitReady(settings, programs, () => stopping !== undefined);
  if (stopping !== undefined) return;
  printWelcome(settings, credentials);
  if (credentials !== undefined) {
    drawing.done = drawPictures(settings.dataDir, database.value.url, drawing.abort.signal);
    drawing.done.catch((error: unknown) =>
      say(`The pictures could not be drawn: ${String(error)}`),
    );
  }
}

watchSignalsAndParent();
try {
  starting = start();
  await starting;
} catch (error) {
  if (stopping === undefined) {
    console.error(error instanceof StartError ? error.message : error);
    stop(1);
  }
}
