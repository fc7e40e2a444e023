import type { RevisionPart, SalesListing } from "@cardvault/contract";
import { followJob } from "../../app/jobs.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { newUuid } from "../../parts/new-uuid.ts";

/** Everything that a change on this page can have changed. */
export async function refreshSales(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.sales.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() }),
    queryClient.invalidateQueries(trpc.accounts.dashboard.queryFilter()),
  ]);
}

/** Does one thing; answers whether it was done, and tells why where it was not. */
export async function attempt(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    await refreshSales();
    return true;
  } catch (error) {
    tellProblem(error, { title });
    return false;
  }
}

/** Many listings are one job of the service's: it goes on when the page is left. */
export async function startListingJob(
  rows: readonly SalesListing[],
  action: ListingAction,
): Promise<void> {
  const job = await trpcClient.bulk.start.mutate({
    selection: { ids: rows.map(({ card }) => card.id) },
    action,
    idempotency_key: newUuid(),
  });
  followJob(job);
}

type ListingAction =
  | { type: "end_listings" }
  | { type: "publish_listings" }
  | { type: "revise_listings"; refresh: RevisionPart[] };
