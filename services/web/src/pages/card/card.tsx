import { useParams } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";

export function CardPage() {
  const { id } = useParams({ from: "/inside/inventory/$id" });
  return <Page title={id}>{null}</Page>;
}
