import { runProgram } from "./run-program.ts";

// The local start alone: its test account's receiver listens on this machine.
await runProgram({ allowLoopbackForTestAccounts: true });
