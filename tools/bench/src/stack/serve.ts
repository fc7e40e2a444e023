import type { FromProgram, ToProgram } from "./programs.ts";

/** What a program of the bench was told by whoever started it. */
export function readSettings(): unknown {
  return JSON.parse(process.argv[2] ?? "null");
}

function say(message: FromProgram): void {
  process.send?.(message);
}

/** Answers the scenario's questions from now on, and tells it that this program is ready. */
export function serve(answers: Record<string, (argument: never) => unknown>): void {
  process.on("message", ({ id, question, argument }: ToProgram) => {
    void (async () => {
      try {
        const answer = await answers[question]?.(argument as never);
        say({ id, answer });
      } catch (error) {
        say({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    })();
  });
  process.once("SIGTERM", () => process.exit(0));
  process.once("disconnect", () => process.exit(0));
  say("ready");
}
