import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stepsOf } from "@cardvault/guides";
import type { Guide, GuideStep } from "@cardvault/guides";
import { waitFor } from "@cardvault/testkit";
import { fits, outputProblems } from "./guide-shape.ts";
import { openGuideShell } from "./guide-shell.ts";
import type { GuideShell } from "./guide-shell.ts";

/** Where somebody reads a guide and does all of it. */
export interface GuidePlace {
  /** Where the files are written. */
  readonly folder: string;
  /** Puts what is real in the place of what the guide leaves open. */
  fill(text: string): string;
  /** What is done on the service's pages, by its name in the guide. */
  readonly actions: Readonly<Record<string, () => Promise<void>>>;
}

/**
 * Does everything that a guide says, in turn, and answers in what way something else came than it shows.
 * What cannot be told apart from a mistake of the guide is one: a file that nothing runs, an output that
 * belongs to nothing, an action that nobody knows.
 */
export async function readGuide(guide: Guide, place: GuidePlace): Promise<string[]> {
  const steps = stepsOf(guide.markdown);
  const shell = openGuideShell(place.folder);
  const reader: Reader = { place, shell, problems: unrunFiles(steps), last: null, seenUntil: 0 };
  try {
    for (const step of steps) {
      const before = reader.problems.length;
      await take(step, reader);
      if (reader.problems.length > before && step.kind !== "output") break;
    }
  } finally {
    await shell.close();
  }
  return reader.problems.map((problem) => `${guide.slug}: ${problem}`);
}

interface Reader {
  readonly place: GuidePlace;
  readonly shell: GuideShell;
  readonly problems: string[];
  /** What the step before printed. `skipped`: this machine lacks the program that it needs. */
  last: { readonly output: string } | "started" | "skipped" | null;
  /** How much the started program had printed before the step before. */
  seenUntil: number;
}

function unrunFiles(steps: readonly GuideStep[]): string[] {
  return steps.flatMap((step, at) => {
    if (step.kind !== "file") return [];
    const isRun = steps
      .slice(at)
      .some(
        (later) =>
          (later.kind === "run" || later.kind === "start") && later.code.includes(step.name),
      );
    return isRun ? [] : [`nothing runs ${step.name}`];
  });
}

async function take(step: GuideStep, reader: Reader): Promise<void> {
  const { place, shell, problems } = reader;
  switch (step.kind) {
    case "file":
      await writeFile(join(place.folder, step.name), place.fill(step.code));
      return;
    case "action": {
      const act = place.actions[step.name];
      reader.seenUntil = shell.printed().length;
      if (act === undefined) problems.push(`nobody knows the action ${step.name}`);
      else await act();
      return;
    }
    case "start":
      await shell.start(place.fill(step.code));
      reader.seenUntil = 0;
      reader.last = "started";
      return;
    case "run":
      return run(step, reader);
    case "output":
      if (reader.last === "skipped") return;
      if (reader.last === null) problems.push(`nothing prints what is shown: ${step.text}`);
      else if (reader.last === "started") await expectPrinted(step.text, reader);
      else {
        const shown = place.fill(step.text);
        problems.push(...outputProblems(step.language, shown, reader.last.output));
      }
      reader.last = null;
      return;
    case "meanwhile":
      return expectPrinted(step.text, reader);
  }
}

async function run(
  { code, needs }: Extract<GuideStep, { kind: "run" }>,
  reader: Reader,
): Promise<void> {
  if (needs !== null && spawnSync(needs, ["--version"]).status !== 0) {
    process.stderr.write(`NOT TESTED (this machine has no ${needs}): ${code}\n`);
    reader.last = "skipped";
    return;
  }
  reader.seenUntil = reader.shell.printed().length;
  const { status, output } = await reader.shell.run(reader.place.fill(code));
  reader.last = { output };
  if (status !== 0) reader.problems.push(`${code}\nended with ${status}:\n${output}`);
}

/** Waits until the started program has printed each of these lines since the step before, in any order. */
async function expectPrinted(text: string, { place, shell, problems, seenUntil }: Reader) {
  const shown = place.fill(text).split("\n");
  const missing = (): string[] => {
    const lines = shell.printed().slice(seenUntil).split("\n");
    return shown.filter((wanted) => !lines.some((line) => fits(wanted, line)));
  };
  await waitFor(() => missing().length === 0).catch(() => {
    problems.push(`it did not print\n${missing().join("\n")}\nbut this:\n${shell.printed()}`);
  });
}
