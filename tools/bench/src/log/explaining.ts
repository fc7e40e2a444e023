import type { Database } from "@cardvault/db";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Small, and not looked at as a whole in any other way. */
const mayBeScanned = new Set(["webhook_endpoint"]);

/**
 * The same database, that also has the plan of every read explained. `scans` collects the tables that
 * a plan reads from end to end.
 */
export function explaining(db: Database, scans: string[]): Database {
  return {
    ...db,
    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      const rows = await db.query<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(
        `explain (format json) ${text}`,
        values,
      );
      for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) collect(Plan, scans);
      return db.query<Row>(text, values, name);
    },
  };
}

function collect(node: PlanNode, scans: string[]): void {
  const table = node["Relation Name"] ?? "";
  if (node["Node Type"].endsWith("Seq Scan") && !mayBeScanned.has(table)) scans.push(table);
  for (const child of node.Plans ?? []) collect(child, scans);
}
