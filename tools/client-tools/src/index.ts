export { formatted } from "./formatted.ts";
export { packClient } from "./pack.ts";
export { clientTypes } from "./types.ts";
