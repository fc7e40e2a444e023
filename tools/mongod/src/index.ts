export { findMongod } from "./find.ts";
export { fetchMongod } from "./fetch.ts";
export { startMongod } from "./launcher.ts";
export type { RunningMongod, StartMongodOptions } from "./launcher.ts";
