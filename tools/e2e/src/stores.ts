import { hasMongo } from "@cardvault/testkit";
import type { StoreKind } from "./stack.ts";

if (!hasMongo) {
  process.stderr.write(
    "NOT TESTED on MongoDB (no server: set MONGOD_PATH, or put mongod on the PATH)\n",
  );
}

/** The job stores that this machine has: PostgreSQL always, MongoDB where a server can be had. */
export const stores: readonly StoreKind[] = hasMongo ? ["mongodb", "postgres"] : ["postgres"];
