import { inventedCatalogue } from "@cardvault/catalogue";
import { writeCatalogueCards } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { catalogueRow, inventedSource } from "./catalogue-row.ts";

/** Writes the invented catalogue, which test accounts and the demonstration work with. Can be repeated. */
export async function provideInventedCatalogue(services: {
  db: Pick<Database, "transaction">;
  clock: Clock;
}): Promise<number> {
  const rows = inventedCatalogue().map(catalogueRow);
  await services.db.transaction((tx) =>
    writeCatalogueCards(tx, inventedSource, rows, services.clock.now()),
  );
  return rows.length;
}
