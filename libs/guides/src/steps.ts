import { lexer } from "marked";

/** What a reader does with a guide, from top to bottom. */
export type GuideStep =
  /** Pasted into the reader's shell. */
  | { readonly kind: "run"; readonly code: string; readonly needs: string | null }
  /** Started in a shell of its own, where it goes on while the guide is read. */
  | { readonly kind: "start"; readonly code: string }
  /** Written into a file. */
  | { readonly kind: "file"; readonly name: string; readonly code: string }
  /** What the step before it prints. */
  | { readonly kind: "output"; readonly language: "http" | "json" | "text"; readonly text: string }
  /** What the program that was started prints after the step before it. */
  | { readonly kind: "meanwhile"; readonly text: string }
  /** Something done on a page of the service; whoever runs the guide does it in another way. */
  | { readonly kind: "action"; readonly name: string };

/** How a block is marked behind its fence: its language, and what it is. */
export interface BlockMark {
  readonly language: string;
  readonly role: "run" | "start" | "file" | "output" | "meanwhile" | "example";
  /** A file's name. */
  readonly name: string | null;
  /** The program that a block needs beside a shell, curl and Node. */
  readonly needs: string | null;
}

const fileLanguages = new Set(["js", "python"]);
const outputLanguages = new Set(["http", "json", "text"]);

/**
 * Reads the words behind a fence: `sh`, `sh background`, `sh needs=python3`, `js receiver.mjs`,
 * `python verify.py`, `json output`, `text meanwhile`; `json example` is for what the contract
 * says, and is no step.
 * @throws TypeError for every other: a block that nobody knows how to run would be one that is not tested.
 */
export function markOf(words: string | undefined): BlockMark {
  const [language = "", detail = "", ...rest] = (words ?? "").split(" ");
  const plain = { language, name: null, needs: null };
  const [, needs] = /^needs=(\w+)$/u.exec(detail) ?? [];
  if (rest.length === 0) {
    if (language === "sh" && detail === "") return { ...plain, role: "run" };
    if (language === "sh" && needs !== undefined) return { ...plain, role: "run", needs };
    if (language === "sh" && detail === "background") return { ...plain, role: "start" };
    if (outputLanguages.has(language) && detail === "output") return { ...plain, role: "output" };
    if (language === "json" && detail === "example") return { ...plain, role: "example" };
    if (language === "text" && detail === "meanwhile") return { ...plain, role: "meanwhile" };
    if (fileLanguages.has(language) && /^[a-z-]+\.[a-z]+$/u.test(detail)) {
      return { ...plain, role: "file", name: detail };
    }
  }
  throw new TypeError(`A block is marked “${words ?? ""}”, and nothing knows how to run that`);
}

const action = /^<!-- action: ([a-z-]+) -->\s*$/u;

/** The steps of a guide, in turn: every fenced block, and the actions that comments name. */
export function stepsOf(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === "html") {
      const [, name] = action.exec(token.raw) ?? [];
      if (name !== undefined) steps.push({ kind: "action", name });
    }
    if (token.type === "code") steps.push(stepOf(token.lang as string | undefined, token.text));
    else if (/^\s*(?:```|~~~)/mu.test(token.raw)) {
      throw new TypeError(`A block stands within something else: ${token.raw.slice(0, 80)}`);
    }
  }
  return steps;
}

function stepOf(words: string | undefined, code: string): GuideStep {
  const { language, role, name, needs } = markOf(words);
  switch (role) {
    case "run":
      return { kind: "run", code, needs };
    case "start":
      return { kind: "start", code };
    case "file":
      return { kind: "file", name: name ?? "", code };
    case "example":
      throw new TypeError("Only what is generated from the contract may be an example");
    case "meanwhile":
      return { kind: "meanwhile", text: code };
    case "output":
      return { kind: "output", language: language as "http" | "json" | "text", text: code };
  }
}
