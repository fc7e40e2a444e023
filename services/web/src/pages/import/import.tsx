import "./import.css";
import { useSearch } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";
import { ImportTabs } from "./import-tabs.tsx";
import { PhotoImportPage } from "./photo-import.tsx";
import { StartPhotos } from "./start-photos.tsx";

/** Photos of cards become cards: dropped, paired, and then made by a job. */
export function ImportPage() {
  const { import: id } = useSearch({ from: "/inside/import" });
  if (id !== undefined) return <PhotoImportPage key={id} id={id} />;
  return (
    <Page
      title="Import photos"
      lead="Drop photos of your cards. Fronts and backs are paired, you look the pairs over, and each becomes a card to identify."
    >
      <ImportTabs current="photos" />
      <StartPhotos />
    </Page>
  );
}
