// A process for the shutdown's test to end: it closes two things, the way its first argument says.
import { createLogger } from "./logger.ts";
import { installShutdown, watchParent } from "./shutdown.ts";

const [how] = process.argv.slice(2);
const logger = createLogger({ name: "fixture" });
const shutdown = installShutdown({ logger, deadlineMs: how === "hangs" ? 200 : 10_000 });
const keepAlive = setInterval(() => undefined, 1_000);
watchParent(() => void shutdown.begin("parent"), 50);

shutdown.onClose("first", () => {
  clearInterval(keepAlive);
  logger.info(`first closed, aborted ${shutdown.signal.aborted}`);
});
shutdown.onClose("second", async () => {
  if (how === "fails") throw new Error("will not close");
  if (how === "hangs" || how === "waits") await new Promise(() => undefined);
  logger.info("second closed");
});
logger.info({ ready: process.pid });
if (how === "throws") {
  setImmediate(() => {
    throw new Error("nobody catches this");
  });
}
