import { readFileSync } from "node:fs";
import * as z from "zod";

/** One value of the configuration: the variable of the environment and what it must be. */
export interface Setting<Value> {
  readonly name: string;
  /** Gets the variable's text; undefined if it is not set, or empty. */
  readonly schema: z.ZodType<Value>;
  /** One sentence, for the configuration table. */
  readonly description: string;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<S extends Settings> = {
  -readonly [Key in keyof S]: S[Key] extends Setting<infer Value> ? Value : never;
};

/** What is wrong with the configuration, all of it at once. No value stands in it: it could be a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((it) => `  - ${it}`).join("\n")}`);
    this.problems = problems;
  }
}

export function setting<Value>(
  name: string,
  description: string,
  schema: z.ZodType<Value>,
): Setting<Value> {
  return { name, description, schema };
}

/**
 * Reads all settings once, at the start. An empty variable counts as not set. `NAME_FILE` names a file
 * that holds the value of `NAME`, so that a secret need not stand in the environment.
 * @throws ConfigError that lists every problem.
 */
export function readSettings<S extends Settings>(
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
): SettingValues<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { name, schema }] of Object.entries(settings)) {
    const given = givenText(env, name);
    if (given.problem !== undefined) {
      problems.push(`${name} ${given.problem}`);
      continue;
    }
    const result = schema.safeParse(given.text);
    if (result.success) values[key] = result.data;
    else problems.push(...result.error.issues.map((it) => `${name} ${it.message}`));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as SettingValues<S>;
}

interface GivenText {
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

function givenText(env: Readonly<Record<string, string | undefined>>, name: string): GivenText {
  const text = env[name]?.trim() || undefined;
  const file = env[`${name}_FILE`]?.trim() || undefined;
  if (file === undefined) return { text };
  if (text !== undefined) return { problem: `is given twice, by ${name}_FILE too.` };
  try {
    return { text: readFileSync(file, "utf8").trim() || undefined };
  } catch {
    return { problem: `cannot be read from the file that ${name}_FILE names.` };
  }
}

// Every message below is a text of our own that continues the variable's name. zod's would do as
// well for most, but one that repeats what was given would print a secret.

export type Parsed<Value> = { value: Value } | { problem: string };

/** A setting of a form of its own. Its problems must not repeat what was given. */
export function parsed<Value>(parse: (text: string) => Parsed<Value>): z.ZodType<Value> {
  return z.string({ error: "is required." }).transform((text, ctx) => {
    const result = parse(text);
    if ("value" in result) return result.value;
    ctx.addIssue({ code: "custom", message: result.problem });
    return z.NEVER;
  });
}

/** Any text. */
export function text(): z.ZodType<string> {
  return parsed((given) => ({ value: given }));
}

/** One of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): z.ZodType<Word> {
  return parsed((given) => {
    const value = words.find((word) => word === given);
    return value === undefined ? { problem: `must be ${words.join(", ")}.` } : { value };
  });
}

export function boolean(): z.ZodType<boolean> {
  return parsed((given) => {
    if (["true", "1", "yes", "on"].includes(given.toLowerCase())) return { value: true };
    if (["false", "0", "no", "off"].includes(given.toLowerCase())) return { value: false };
    return { problem: "must be true or false." };
  });
}

/** A whole number within these bounds, in decimal digits. */
export function integer(min: number, max: number): z.ZodType<number> {
  return parsed((given) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return { value };
    return { problem: `must be a whole number from ${min} to ${max}.` };
  });
}

export function port(): z.ZodType<number> {
  return integer(1, 65_535);
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `250ms`, `10s`, `5m`, `24h` or `7d`, in milliseconds. A number without a unit is refused. */
export function duration(bounds: { minMs: number; maxMs: number }): z.ZodType<number> {
  return parsed((given) => {
    const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(given) ?? [];
    if (digits === undefined) return { problem: "must be a duration like 250ms, 10s, 5m or 24h." };
    const value = Number(digits) * unitMs[unit as keyof typeof unitMs];
    if (value >= bounds.minMs && value <= bounds.maxMs) return { value };
    return { problem: `must be from ${bounds.minMs} ms to ${bounds.maxMs} ms.` };
  });
}

const unitBytes = { B: 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 } as const;

/** `512B`, `256KiB`, `10MiB` or `1GiB`, in bytes. */
export function size(bounds: { minBytes: number; maxBytes: number }): z.ZodType<number> {
  return parsed((given) => {
    const [, digits, unit] = /^(\d{1,12})(B|KiB|MiB|GiB)$/.exec(given) ?? [];
    if (digits === undefined) return { problem: "must be a size like 512B, 256KiB or 10MiB." };
    const value = Number(digits) * unitBytes[unit as keyof typeof unitBytes];
    if (value >= bounds.minBytes && value <= bounds.maxBytes) return { value };
    return { problem: `must be from ${bounds.minBytes} to ${bounds.maxBytes} bytes.` };
  });
}

/** A URL with one of these schemes (`https`, `postgres`), as given. */
export function url(...schemes: readonly string[]): z.ZodType<string> {
  return parsed((given) => {
    const isGood =
      URL.canParse(given) && schemes.includes(new URL(given).protocol.replace(/:$/, ""));
    const forms = schemes.map((scheme) => `${scheme}://…`).join(" or ");
    return isGood ? { value: given } : { problem: `must be a URL like ${forms}.` };
  });
}

/** A web origin, without a slash at its end: `https://vault.example.com`. */
export function origin(): z.ZodType<string> {
  return parsed((given) => {
    const value = URL.canParse(given) ? new URL(given).origin : "null";
    const isBare = given === value || given === `${value}/`;
    if (isBare && /^https?:/.test(value)) return { value };
    return { problem: "must be an origin like https://vault.example.com, without a path." };
  });
}

/** Several, with commas between them; none where the variable is not set. */
export function list<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  const items = parsed<Item[]>((given) => {
    const value: Item[] = [];
    for (const part of given.split(",")) {
      const result = item.safeParse(part.trim());
      if (!result.success) {
        return { problem: `has an entry that ${result.error.issues[0]?.message ?? "is wrong."}` };
      }
      value.push(result.data);
    }
    return { value };
  });
  return withDefault(items, () => []);
}

/** Undefined where the variable is not set. */
export function optional<Value>(schema: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return schema.optional();
}

/** That value where the variable is not set. */
export function withDefault<Value>(schema: z.ZodType<Value>, value: () => Value): z.ZodType<Value> {
  return schema.optional().transform((given) => given ?? value());
}

/** A setting that the service does not start without: `reason` says why, and what to do. */
export function required<Value>(schema: z.ZodType<Value>, reason: string): z.ZodType<Value> {
  return z.string({ error: `is required: ${reason}` }).pipe(schema as z.ZodType<Value, string>);
}
