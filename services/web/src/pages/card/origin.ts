import type { CardChange, ChangeVia, IdentificationRecord } from "@cardvault/contract";
import { enginesWords } from "../../parts/candidates-words.ts";

const viaWords: Record<ChangeVia, string> = {
  web: "By hand",
  scan: "Scanner",
  api: "API",
  job: "Bulk change",
  import: "Import",
  provider: "Identified",
  marketplace: "Marketplace",
  command_line: "Operator",
};

/** Who or what did it: `Mara`, `Storefront key, API`, `Identified`. */
export function changeBy({ actor, via }: Pick<CardChange, "actor" | "via">): string {
  const { name } = actor;
  if (name === null || actor.kind === "system") return viaWords[via];
  return via === "web" ? name : `${name}, ${viaWords[via]}`;
}

/** Where the value of each field is from: its latest change, by the field. */
export function originsOf(changes: readonly CardChange[]): Map<string, CardChange> {
  const origins = new Map<string, CardChange>();
  for (const change of changes) {
    for (const { field } of change.changes) {
      if (!origins.has(field)) origins.set(field, change);
    }
  }
  return origins;
}

/** Who read a field off the photo, where what they read still stands; null where nobody did. */
export function readBy(
  field: string,
  value: unknown,
  record: IdentificationRecord | undefined,
): string | null {
  if (record?.status !== "applied") return null;
  const evidence = record.fields.find((one) => one.field === field);
  if (evidence === undefined || evidence.agreeing.length === 0 || evidence.value !== value) {
    return null;
  }
  return `Read by ${enginesWords(evidence.agreeing)}`;
}
