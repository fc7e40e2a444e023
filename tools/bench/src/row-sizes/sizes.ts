import type pg from "pg";

/** What a table takes on the disk for each of its rows, in bytes. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** As the work left it, with the room of versions that are no more. */
  readonly written: number;
  /** Rewritten without any (VACUUM FULL): the rows, with what is stored beside them. */
  readonly rowBytes: number;
  readonly indexBytes: number;
}

interface SizeRow {
  readonly table: string;
  readonly total: string;
  readonly indexes: string;
}

const sizesStatement = `
  select format('%I.%I', n.nspname, c.relname) as table, pg_total_relation_size(c.oid) as total, pg_indexes_size(c.oid) as indexes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;

/** Every table that has so many rows at least, the largest first. Rewrites them all. */
export async function tableSizes(client: pg.Client, fewestRows: number): Promise<TableSize[]> {
  const before = (await client.query<SizeRow>(sizesStatement)).rows;
  const counts = new Map<string, number>();
  for (const { table } of before) {
    const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${table}`);
    counts.set(table, Number(counted.rows[0]?.rows));
  }
  await client.query("vacuum full");
  const after = new Map(
    (await client.query<SizeRow>(sizesStatement)).rows.map((row) => [row.table, row]),
  );
  return before
    .flatMap(({ table, total }) => {
      const rows = counts.get(table) ?? 0;
      const packed = after.get(table);
      if (rows < fewestRows || packed === undefined) return [];
      const indexes = Number(packed.indexes);
      return [
        {
          table: table.replace(/^public\./u, ""),
          rows,
          written: Number(total) / rows,
          rowBytes: (Number(packed.total) - indexes) / rows,
          indexBytes: indexes / rows,
        },
      ];
    })
    .toSorted((one, other) => other.written * other.rows - one.written * one.rows);
}

/** Connections of a database by the name that their program gave them. */
export async function connectionsByName(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; connections: string }>(
    `select application_name as name, count(*) as connections from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() group by 1`,
  );
  return new Map(rows.map(({ name, connections }) => [name, Number(connections)]));
}
