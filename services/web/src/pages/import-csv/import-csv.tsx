import "../import/import.css";
import "./import-csv.css";
import { useSearch } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";
import { ImportTabs } from "../import/import-tabs.tsx";
import { ListImport } from "./list-import.tsx";
import { StartList } from "./start-list.tsx";

/** A list of another tool, or one's own, becomes cards: mapped, checked, imported, and taken back. */
export function ImportCsvPage() {
  const { import: id } = useSearch({ from: "/inside/import/csv" });
  if (id !== undefined) return <ListImport key={id} id={id} />;
  return (
    <Page
      title="Import a list"
      lead="A CSV of TCGplayer, ManaBox, Deckbox, Moxfield, Card Dealer Pro, CollX, eBay, our own export, or any spreadsheet. Every row is checked before anything is imported."
    >
      <ImportTabs current="list" />
      <StartList />
    </Page>
  );
}
