import { serviceSettings, tracingSettings } from "@cardvault/kit";
import type { Setting, Settings } from "@cardvault/kit";
import { providerSettings } from "@cardvault/providers";

const groups: readonly (readonly [title: string, settings: Settings])[] = [
  ["Every service", serviceSettings],
  ["Third parties (api and worker)", providerSettings],
  ["Traces (api and worker)", tracingSettings],
];

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** Every variable, from the schemas that read them. */
export function configurationTable(): string {
  const parts = groups.map(([title, settings]) => {
    const rows = Object.entries(settings).map(([key, setting]) => rowOf(key, setting));
    return [
      `## ${title}`,
      "",
      "| variable | meaning | if not set |",
      "| --- | --- | --- |",
      ...rows,
    ];
  });
  return [
    "# Configuration",
    "",
    "Made from the schemas that the services read it with: `npm run configuration`. Durations are written `250ms`, `10s`, `5m`,",
    "`24h` or `7d`. Each variable can also be given as a file: `NAME_FILE` holds the value of `NAME`.",
    ...parts.flatMap((lines) => ["", ...lines]),
    "",
  ].join("\n");
}

/** The names of all variables that api and worker read by their schemas. */
export function configurationNames(): Set<string> {
  return new Set(groups.flatMap(([, settings]) => Object.values(settings).map(({ name }) => name)));
}

function rowOf(key: string, { name, description, schema }: Setting<unknown>): string {
  const fallback = schema.safeParse(undefined);
  const said = fallback.success ? textOf(key, fallback.data) : "**required**";
  return `| \`${name}\` | ${description.replaceAll("|", "\\|")} | ${said} |`;
}

function textOf(key: string, value: unknown): string {
  if (value === undefined || value === null || value === false) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : `\`${value.join(",")}\``;
  if (typeof value === "number" && key.endsWith("Ms")) {
    const [unit, ms] = units.find(([, size]) => value % size === 0) ?? ["ms", 1];
    return `\`${value / ms}${unit}\``;
  }
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
