import { cardMaxima } from "@cardvault/contract";
import { invalidMember } from "./money.ts";

/**
 * What a format can name. `n` is the account's counter, which makes a SKU unique; `{n:5}` pads it
 * with zeros to five digits.
 */
export type SkuValues = {
  counter: number;
  batchCode?: string | null | undefined;
  game?: string | null | undefined;
  setCode?: string | null | undefined;
  year?: number | null | undefined;
};

const tokenPattern = /\{([a-z_]+)(?::(\d{1,2}))?\}/g;
const tokenNames: readonly string[] = ["n", "batch", "game", "set_code", "year"];
const maxPadding = 12;

/**
 * Refuses a format that could give two cards the same SKU or none: it must name `{n}` once, know
 * all its tokens, and otherwise hold only letters, digits, `.`, `_` and `-`.
 * @throws VaultError `validation_failed`
 */
export function requireSkuFormat(format: string): void {
  const tokens = [...format.matchAll(tokenPattern)];
  for (const [token, name = "", padding] of tokens) {
    if (!tokenNames.includes(name)) throw invalidMember("sku_format", `Unknown part ${token}`);
    if (padding !== undefined && (name !== "n" || Number(padding) > maxPadding)) {
      throw invalidMember("sku_format", `Only {n} can be padded, to at most ${maxPadding} digits`);
    }
  }
  if (tokens.filter(([, name]) => name === "n").length !== 1) {
    throw invalidMember("sku_format", "Must name {n} exactly once");
  }
  if (!/^[A-Za-z0-9._-]*$/.test(format.replace(tokenPattern, ""))) {
    throw invalidMember("sku_format", "May hold letters, digits, dots, dashes and underscores");
  }
}

/**
 * A SKU by an account's format, such as `{batch}-{n:5}`: `B47-00412`. A part that is unknown for
 * the card goes, with the separator beside it; what a SKU cannot hold becomes a dash. Where it would
 * have more than 50 characters its longest part is cut, never the number.
 * @throws VaultError `validation_failed` for a bad format, or one that is too long without any part.
 */
export function renderSku(format: string, values: SkuValues): string {
  requireSkuFormat(format);
  const parts = {
    batch: clean(values.batchCode),
    game: clean(values.game),
    set_code: clean(values.setCode),
    year: clean(values.year),
  };
  let sku = rendered(format, parts, values.counter);
  while (sku.length > cardMaxima.sku) {
    const used = (Object.keys(parts) as (keyof typeof parts)[]).filter((name) =>
      format.includes(`{${name}}`),
    );
    const [longest] = used.toSorted((one, other) => parts[other].length - parts[one].length);
    if (longest === undefined || parts[longest] === "") {
      throw invalidMember("sku", `Must have at most ${cardMaxima.sku} characters`);
    }
    parts[longest] = parts[longest].slice(0, -1);
    sku = rendered(format, parts, values.counter);
  }
  return sku;
}

function rendered(
  format: string,
  parts: Readonly<Record<string, string>>,
  counter: number,
): string {
  return format
    .replace(tokenPattern, (_, name: string, padding?: string) =>
      name === "n" ? String(counter).padStart(Number(padding ?? 0), "0") : (parts[name] ?? ""),
    )
    .replace(/([._-])[._-]+/g, "$1")
    .replace(/^[._-]+|[._-]+$/g, "");
}

function clean(value: string | number | null | undefined): string {
  return String(value ?? "").replace(/[^A-Za-z0-9._-]+/g, "-");
}
