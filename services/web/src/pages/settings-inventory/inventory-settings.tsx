import { Skeleton } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { Places } from "./places.tsx";
import { SeparatorForm } from "./separator-form.tsx";
import { SkuFormat } from "./sku-format.tsx";

/** How cards are numbered, and where they lie. */
export function InventorySettingsPage() {
  const settings = useQuery(trpc.accounts.settings.get.queryOptions());
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const isOwner = current.role === "owner";
  return (
    <Page
      title="SKUs and labels"
      lead="How cards are numbered, where they lie, and the labels for both."
    >
      {settings.data !== undefined ? (
        <>
          <SkuFormat saved={settings.data.sku_format} isOwner={isOwner} />
          <SeparatorForm saved={settings.data.location_separator} isOwner={isOwner} />
          <Places separator={settings.data.location_separator} />
        </>
      ) : settings.isPending ? (
        <div aria-busy="true">
          <Skeleton height={16} width={100} mb="xs" />
          <Skeleton height={210} mb="lg" />
          <Skeleton height={16} width={140} mb="xs" />
          <Skeleton height={90} mb="lg" />
          <Skeleton height={200} />
        </div>
      ) : (
        <div className="panel">
          <ProblemPanel
            error={settings.error}
            what="The settings"
            onRetry={() => void settings.refetch()}
          />
        </div>
      )}
    </Page>
  );
}
