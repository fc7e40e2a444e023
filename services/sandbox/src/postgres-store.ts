import {
  deleteSandboxRecords,
  listSandboxRecords,
  lockSandboxKey,
  readSandboxRecord,
  takeSandboxTurn,
  writeSandboxRecord,
} from "@cardvault/db";
import type { Database, Queryable } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import type { SimulatorStore } from "@cardvault/simulators";

type Exclusive = SimulatorStore["exclusive"];

/** What the simulated third parties remember, in the service's own database: a restart loses none of it. */
export function createPostgresStore(db: Database, clock: Clock): SimulatorStore {
  return storeOn(db, clock, (protocol, key, work) =>
    db.transaction((tx) => alone(tx, clock, protocol, key, work)),
  );
}

/** In the transaction that is open already. */
async function alone<Done>(
  tx: Queryable,
  clock: Clock,
  protocol: string,
  key: string,
  work: (store: SimulatorStore) => Promise<Done>,
): Promise<Done> {
  await lockSandboxKey(tx, protocol, key);
  return work(
    storeOn(tx, clock, (...[innerProtocol, innerKey, innerWork]) =>
      alone(tx, clock, innerProtocol, innerKey, innerWork),
    ),
  );
}

function storeOn(db: Queryable, clock: Clock, exclusive: Exclusive): SimulatorStore {
  return {
    read: (protocol, key) => readSandboxRecord(db, protocol, key),
    write: (protocol, key, value) => writeSandboxRecord(db, protocol, key, value, clock.now()),
    take: (protocol, key) => takeSandboxTurn(db, protocol, key, clock.now()),
    forget: (protocol, keyPrefix) => deleteSandboxRecords(db, protocol, keyPrefix),
    list: (protocol, keyPrefix) => listSandboxRecords(db, protocol, keyPrefix),
    exclusive,
  };
}
