export { startPostgres } from "./launcher.ts";
export type { RunningPostgres, StartPostgresOptions } from "./launcher.ts";
export { createDatabase, databaseExists, withDatabase } from "./databases.ts";
export { freePort, isPortFree } from "./ports.ts";
export { commandLineOf, isAlive, waitUntil } from "./processes.ts";
