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
 * the card goes, with the separator beside it; what a SKU cannot hold becomes a dash.
 * @throws VaultError `validation_failed` for a bad format or more than 50 characters.
 */
export function renderSku(format: string, values: SkuValues): string {
  requireSkuFormat(format);
  const parts: Record<string, string> = {
    batch: clean(values.batchCode),
    game: clean(values.game),
    set_code: clean(values.setCode),
    year: clean(values.year),
  };
  const sku = format
    .replace(tokenPattern, (_, name: string, padding?: string) =>
      name === "n"
        ? String(values.counter).padStart(Number(padding ?? 0), "0")
        : (parts[name] ?? ""),
    )
    .replace(/([._-])[._-]+/g, "$1")
    .replace(/^[._-]+|[._-]+$/g, "");
  if (sku.length > cardMaxima.sku) {
    throw invalidMember("sku", `Must have at most ${cardMaxima.sku} characters`);
  }
  return sku;
}

function clean(value: string | number | null | undefined): string {
  return String(value ?? "").replace(/[^A-Za-z0-9._-]+/g, "-");
}
