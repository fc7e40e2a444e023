import { createPostgreSqlTypeParsers } from "@mikro-orm/sql";
import { MikroORM, UnderscoreNamingStrategy } from "@mikro-orm/postgresql";
import type { EntityManager } from "@mikro-orm/postgresql";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { entities } from "../entities/index.ts";
import { migrationTable } from "./migrate.ts";

export type Orm = MikroORM;

/** The forms in which the unit of work expects its rows. Arrays are read as pg reads text arrays. */
export const unitOfWorkTypes = new pg.TypeOverrides();
const textArray = 1009;
const parseTextArray = pg.types.getTypeParser(textArray as never);
for (const [typeOid, parser] of Object.entries(createPostgreSqlTypeParsers(parseTextArray))) {
  unitOfWorkTypes.setTypeParser(Number(typeOid), parser);
}

/** Constraints have the names that PostgreSQL gives those that a migration does not name. */
class PostgresNaming extends UnderscoreNamingStrategy {
  override indexName(
    tableName: string,
    columns: string[],
    type: Parameters<UnderscoreNamingStrategy["indexName"]>[2],
  ): string {
    const endings: Partial<Record<typeof type, string>> = { foreign: "fkey", unique: "key" };
    const ending = endings[type];
    if (ending === undefined) return super.indexName(tableName, columns, type);
    return `${tableName}_${columns.join("_")}_${ending}`;
  }
}

/**
 * The entities and their mapping. It makes connections of its own only for schema work: a transaction
 * runs on a client of ours.
 */
export function createOrm(url: string): Orm {
  return new MikroORM({
    clientUrl: url,
    entities,
    namingStrategy: PostgresNaming,
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false,
    logger: () => undefined,
    // Times are stored in UTC, whatever the zone of the process.
    forceUtcTimezone: true,
    // Changes come from pure rules that name them; a required member that is missing is refused.
    validateRequired: true,
    migrations: { tableName: migrationTable },
    schemaGenerator: {
      // Sign-in's and the job store's own tables.
      ignoreSchema: ["auth", "agenda"],
      // Written by triggers alone; no entity is ever loaded from them.
      skipTables: ["card_count", "card_word", "location_total"],
      ignoreTriggers: true,
      ignoreRoutines: true,
      disableForeignKeys: false,
    },
  });
}

/** A unit of work whose statements all run on the given client, in the transaction begun there. */
export function forkOn(orm: Orm, client: pg.PoolClient): EntityManager {
  const single = {
    connect: () =>
      Promise.resolve({
        query: client.query.bind(client),
        release: () => undefined,
      }),
    end: () => Promise.resolve(),
  };
  const dialect = new PostgresDialect({ pool: single as unknown as pg.Pool });
  const em = orm.em.fork({ clear: true, useContext: false }) as EntityManager;
  em.setTransactionContext(new Kysely({ dialect }));
  return em;
}

/** What would have to be done to the database to make it what the entities say: nothing. */
export async function schemaDifference(url: string): Promise<string> {
  const orm = createOrm(url);
  try {
    return await orm.schema.getUpdateSchemaSQL({ wrap: false });
  } finally {
    await orm.close();
  }
}
