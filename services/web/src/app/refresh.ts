import { queryClient, trpc } from "./trpc.ts";

/** What was dropped: its list, the figure on the dashboard and the count in the navigation. */
async function refreshDropped(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.events.dropped.pathKey() }),
    queryClient.invalidateQueries(trpc.accounts.overview.queryFilter()),
    queryClient.invalidateQueries({ queryKey: trpc.accounts.dashboard.pathKey() }),
  ]);
}

/** Everything that an attempt, a resend or a dismissal changes. */
export async function refreshDeliveries(): Promise<void> {
  await Promise.all([
    refreshDropped(),
    queryClient.invalidateQueries({ queryKey: trpc.webhooks.deliveries.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.webhooks.attempts.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.webhooks.endpoints.missing.pathKey() }),
    queryClient.invalidateQueries(trpc.webhooks.endpoints.health.queryFilter()),
    queryClient.invalidateQueries({ queryKey: trpc.events.list.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.events.get.pathKey() }),
  ]);
}

/** The endpoints; and what was dropped, which may or may not be sent again as they are now. */
export async function refreshEndpoints(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(trpc.webhooks.endpoints.list.queryFilter()),
    queryClient.invalidateQueries({ queryKey: trpc.webhooks.endpoints.get.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.webhooks.endpoints.timeline.pathKey() }),
    refreshDeliveries(),
  ]);
}
