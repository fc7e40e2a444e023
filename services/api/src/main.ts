import { run } from "./run.ts";

// Production: whatever the environment says, nothing of the local start is allowed here.
await run({ isPlainHttp: false, allowsLoopbackReceivers: false });
