import { Skeleton } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";
import { ListingTexts } from "./listing-texts.tsx";
import { Marketplace } from "./marketplace.tsx";
import { Providers } from "./providers.tsx";
import { Spending } from "./spending.tsx";
import { Thresholds } from "./thresholds.tsx";

/** Where the account sells, who identifies and prices its cards, when a person is asked, and what a month may cost. */
export function IntegrationsPage() {
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const settings = useQuery(trpc.accounts.settings.get.queryOptions());
  const { outcome } = useSearch({ from: "/inside/settings/integrations" });
  const isOwner = current.role === "owner";
  return (
    <Page
      title="Integrations"
      lead={
        current.account.environment === "test"
          ? "In this test account providers and the marketplace are simulated."
          : "Where you sell, and third parties that identify and price your cards."
      }
    >
      <Marketplace isOwner={isOwner} outcome={outcome} />
      <ListingTexts isOwner={isOwner} />
      {isOwner ? <Providers /> : null}
      {settings.data !== undefined ? (
        <Thresholds
          settings={settings.data}
          currency={current.account.currency}
          isOwner={isOwner}
        />
      ) : (
        <Section id="thresholds" title="When a person is asked">
          {settings.isPending ? (
            <Skeleton height={96} aria-busy="true" />
          ) : (
            <ProblemPanel
              error={settings.error}
              what="The settings"
              onRetry={() => void settings.refetch()}
            />
          )}
        </Section>
      )}
      <Spending isOwner={isOwner} />
    </Page>
  );
}
