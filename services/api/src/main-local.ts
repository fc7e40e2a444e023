import { run } from "./run.ts";

// The local start alone runs this file: on loopback there is no HTTPS, and the example receiver is there.
await run({ isPlainHttp: true, allowsLoopbackReceivers: true });
