import { tmpdir } from "node:os";
import { appRouter, createCallerFactory, createServices, receiveImport } from "@cardvault/core";
import type { SessionPrincipal } from "@cardvault/core";
import { getImport } from "@cardvault/db";
import type { ImportRow } from "@cardvault/db";
import { systemClock } from "@cardvault/kit";
import { silent } from "./fixtures.ts";
import type { Installation } from "./fixtures.ts";

export interface StagedImport {
  accountId: string;
  read(): Promise<ImportRow>;
  /** Begins to import every row of it. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Uploads a list of so many different cards and asks for its check, as the API process does. */
export async function stageImport(installation: Installation, rows: number): Promise<StagedImport> {
  const { db, accountId, config } = installation;
  const services = await createServices({
    db,
    databaseUrl: config.databaseUrl,
    clock: systemClock,
    logger: silent,
    encryptionKeys: config.encryptionKeys,
    config: {
      publicUrl: config.publicUrl,
      photoFolder: tmpdir(),
      isPlainHttp: false,
      allowsLoopbackReceivers: false,
    },
  });
  const principal: SessionPrincipal = {
    kind: "session",
    userId: "importer",
    userName: "Importer",
    userEmail: "importer@example.com",
    accountId,
    environment: "test",
    currency: "USD",
    role: "member",
    isOperator: false,
    isSuspended: false,
  };
  const caller = createCallerFactory(appRouter)({ services, principal, requestId: "req_test" });
  const access = {
    accountId,
    environment: "test",
    currency: "USD",
    actor: { kind: "member", id: principal.userId },
    via: "web",
  } as const;
  const file = { name: "list.csv", bytes: listOf(rows) };
  const { id } = await receiveImport(services, access, file);
  await caller.imports.preview({ id });
  return {
    accountId,
    read: () => getImport(db, accountId, id),
    start: async () => {
      await caller.imports.start({
        id,
        mode: "valid_rows_only",
        new_batch: { name: "Collection" },
      });
    },
    close: () => services.close(),
  };
}

async function* listOf(rows: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from("Name,Set,Number,Condition,Quantity,Price\r\n");
  for (let row = 1; row <= rows; row += 1) {
    yield Buffer.from(`"Charged Serpent, ${row}",Storm Harbour,${row}/180,NM,2,"1,234.50"\r\n`);
  }
}
