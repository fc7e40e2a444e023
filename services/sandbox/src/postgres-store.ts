import {
  deleteSandboxRecords,
  readSandboxRecord,
  takeSandboxTurn,
  writeSandboxRecord,
} from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import type { SimulatorStore } from "@cardvault/simulators";

/** What the simulated third parties remember, in the service's own database: a restart loses none of it. */
export function createPostgresStore(db: Database, clock: Clock): SimulatorStore {
  return {
    read: (protocol, key) => readSandboxRecord(db, protocol, key),
    write: (protocol, key, value) => writeSandboxRecord(db, protocol, key, value, clock.now()),
    take: (protocol, key) => takeSandboxTurn(db, protocol, key, clock.now()),
    forget: (protocol, keyPrefix) => deleteSandboxRecords(db, protocol, keyPrefix),
  };
}
