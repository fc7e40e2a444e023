import { catalogueSources, importCatalogue, provideInventedCatalogue } from "@cardvault/core";
import type { CatalogueImportProgress, CatalogueSource } from "@cardvault/core";
import { countCatalogue } from "@cardvault/db";
import { Argument } from "commander";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

export function addCatalogueCommands(program: Command, desk: Desk): void {
  const catalogue = program
    .command("catalogue")
    .description("the public card lists that identification is checked against");

  catalogue
    .command("import")
    .description(
      "read a card list into the catalogue; one that was interrupted goes on where it stopped",
    )
    .addArgument(new Argument("<source>", "whose list it is").choices([...catalogueSources]))
    .argument(
      "<path>",
      "a file of JSON (.gz too), or the data folder of TCGdex's cards-database repository",
    )
    .option("--again", "read a list again that was imported before")
    .action((source: CatalogueSource, path: string, { again }: { again?: true }) =>
      desk.run(async ({ services }) => {
        const onProgress = (progress: CatalogueImportProgress): void => {
          if (progress.written % 10_000 === 0) desk.say(lineOf(progress));
        };
        const restart = again === true;
        desk.say(lineOf(await importCatalogue(services, { source, path, restart, onProgress })));
      }),
    );

  catalogue
    .command("invented")
    .description("write the invented cards, which test accounts work with")
    .action(() =>
      desk.run(async ({ services }) =>
        desk.say(`${await provideInventedCatalogue(services)} cards`),
      ),
    );

  catalogue
    .command("list")
    .description("which lists the catalogue has")
    .action(() =>
      desk.run(async ({ services }) => {
        for (const { source, game, cards, importedAt } of await countCatalogue(services.db)) {
          desk.say(`${source}  ${game}  ${cards} cards  ${importedAt.toISOString()}`);
        }
      }),
    );
}

function lineOf({ written, skipped, share, isDone }: CatalogueImportProgress): string {
  const far = isDone ? "done" : share === null ? "…" : `${Math.floor(share * 100)} %`;
  return `${far}  ${written} cards, ${skipped} left out`;
}
