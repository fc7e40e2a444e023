import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  rootRouteId,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { NotFoundPage } from "../pages/not-found.tsx";
import { salesSearch } from "../pages/sales/sales-search.ts";
import { SignInPage } from "../pages/sign-in.tsx";
import { chooseAccount, currentAccountId, lastAccountId } from "./account.ts";
import { BootSkeleton } from "./boot-skeleton.tsx";
import { BootProblem } from "./boot-problem.tsx";
import { inventorySearch } from "./inventory-search.ts";
import { loadCode } from "./load-code.ts";
import { PageProblem } from "./page-problem.tsx";
import { AuthError, isSignInRequired, unreachable } from "./problem.ts";
import {
  accountSearch,
  batchesSearch,
  endpointSearch,
  eventsSearch,
  importListSearch,
  integrationsSearch,
  jobsSearch,
  reviewSearch,
  textOf,
} from "./search.ts";
import type { Given } from "./search.ts";
import { Shell } from "./shell.tsx";
import { queryClient, trpc } from "./trpc.ts";

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: BootProblem,
});

/** A page whose code comes when it is gone to. What does not come is said in the page's place. */
function lazyPage<File extends Record<Name, () => ReactNode>, Name extends string>(
  load: () => Promise<File>,
  name: Name,
) {
  return lazyRouteComponent(() => loadCode(load), name);
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (given: Given): { next?: string | undefined } => ({
    next: textOf(given["next"]),
  }),
  component: SignInPage,
  errorComponent: BootProblem,
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/auth/invite",
  component: lazyPage(() => import("../pages/invite.tsx"), "InvitePage"),
  errorComponent: BootProblem,
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/auth/reset",
  component: lazyPage(() => import("../pages/reset.tsx"), "ResetPage"),
  errorComponent: BootProblem,
});

/** Everything that needs a person and an account. */
const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  async beforeLoad({ location }) {
    try {
      await enter();
    } catch (error) {
      if (!isSignInRequired(error)) throw error;
      throw redirect({
        to: "/sign-in",
        search: location.href === "/" ? {} : { next: location.href },
        replace: true,
      });
    }
  },
  component: Shell,
  pendingComponent: BootSkeleton,
  errorComponent: BootProblem,
});

/** Finds out who is signed in, and names the account that this tab works in. */
async function enter(): Promise<void> {
  const { data } = await queryClient.ensureQueryData(trpc.accounts.mine.queryOptions());
  const isMine = (id: string | null) => data.some(({ account }) => account.id === id);
  const last = lastAccountId();
  const chosen = last !== null && isMine(last) ? last : data[0]?.account.id;
  if (chosen === undefined) {
    throw new AuthError({
      ...unreachable,
      code: "no_account",
      message: "You are not a member of any account. Ask an owner for an invitation.",
    });
  }
  if (chosen !== currentAccountId()) chooseAccount(chosen);
  await queryClient.ensureQueryData(trpc.accounts.current.queryOptions());
}

const dashboardRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  component: lazyPage(() => import("../pages/dashboard/dashboard.tsx"), "DashboardPage"),
});

const inventoryRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inventory",
  validateSearch: inventorySearch,
  component: lazyPage(() => import("../pages/inventory/inventory.tsx"), "InventoryPage"),
});

const batchesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inventory/batches",
  validateSearch: batchesSearch,
  component: lazyPage(() => import("../pages/batches/batches.tsx"), "BatchesPage"),
});

const batchRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inventory/batches/$id",
  component: lazyPage(() => import("../pages/batch/batch.tsx"), "BatchPage"),
});

const importRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/import",
  validateSearch: (given: Given): { import?: string | undefined; batch?: string | undefined } => ({
    import: textOf(given["import"]),
    batch: textOf(given["batch"]),
  }),
  component: lazyPage(() => import("../pages/import/import.tsx"), "ImportPage"),
});

const importListRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/import/csv",
  validateSearch: importListSearch,
  component: lazyPage(() => import("../pages/import-csv/import-csv.tsx"), "ImportCsvPage"),
});

const moveRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/move",
  validateSearch: (given: Given): { mode?: "sell" | undefined } => ({
    mode: given["mode"] === "sell" ? "sell" : undefined,
  }),
  component: lazyPage(() => import("../pages/move/move.tsx"), "MovePage"),
});

/** Its search parameters are those of the list that it was opened from. */
const cardRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inventory/$id",
  validateSearch: inventorySearch,
  component: lazyPage(() => import("../pages/card/card.tsx"), "CardPage"),
});

const bulkEditRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inventory/bulk-edit",
  validateSearch: inventorySearch,
  component: lazyPage(() => import("../pages/bulk-edit/bulk-edit.tsx"), "BulkEditPage"),
});

const reviewRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/review",
  validateSearch: reviewSearch,
  component: lazyPage(() => import("../pages/review/review.tsx"), "ReviewPage"),
});

const salesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/sales",
  validateSearch: salesSearch,
  component: lazyPage(() => import("../pages/sales/sales.tsx"), "SalesPage"),
});

const keysRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/api",
  validateSearch: (given: Given): { ended?: true | undefined } => ({
    ended: given["ended"] === true ? true : undefined,
  }),
  component: lazyPage(() => import("../pages/keys/keys.tsx"), "KeysPage"),
});

const profileRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/profile",
  component: lazyPage(() => import("../pages/settings-profile/profile.tsx"), "ProfilePage"),
});

const accountRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/account",
  validateSearch: accountSearch,
  component: lazyPage(() => import("../pages/settings-account/account.tsx"), "AccountPage"),
});

const inventorySettingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/inventory",
  component: lazyPage(
    () => import("../pages/settings-inventory/inventory-settings.tsx"),
    "InventorySettingsPage",
  ),
});

const integrationsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/integrations",
  validateSearch: integrationsSearch,
  component: lazyPage(
    () => import("../pages/settings-integrations/integrations.tsx"),
    "IntegrationsPage",
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/account", replace: true });
  },
});

/** Where a marketplace sends the browser back to. */
const marketplaceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/marketplace",
  validateSearch: integrationsSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/settings/integrations", search, replace: true });
  },
});

/** Reference and guides are pages of the service's own, and stand in the navigation like the others. */
const docsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/docs",
  beforeLoad({ preload }) {
    if (!preload) window.location.assign("/docs");
  },
});
const guidesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/docs/guides",
  beforeLoad({ preload }) {
    if (!preload) window.location.assign("/docs/guides");
  },
});

/** Of operators alone; for everybody else there is no such page. */
const jobsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs",
  validateSearch: jobsSearch,
  async beforeLoad() {
    const { user } = await queryClient.ensureQueryData(trpc.accounts.current.queryOptions());
    if (!user.is_operator) notFound({ routeId: rootRouteId, throw: true });
  },
  component: lazyPage(() => import("../pages/jobs/jobs.tsx"), "JobsPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/webhooks",
  component: lazyPage(() => import("../pages/webhooks/webhooks.tsx"), "WebhooksPage"),
});

const endpointRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/settings/webhooks/$id",
  validateSearch: endpointSearch,
  component: lazyPage(() => import("../pages/endpoint/endpoint.tsx"), "EndpointPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazyPage(() => import("../pages/events/events.tsx"), "EventsPage"),
});

const droppedRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/events/dropped",
  validateSearch: (given: Given): { endpoint?: string | undefined } => ({
    endpoint: textOf(given["endpoint"]),
  }),
  component: lazyPage(() => import("../pages/dropped/dropped.tsx"), "DroppedPage"),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    inviteRoute,
    resetRoute,
    insideRoute.addChildren([
      dashboardRoute,
      inventoryRoute,
      cardRoute,
      bulkEditRoute,
      reviewRoute,
      batchesRoute,
      batchRoute,
      importRoute,
      importListRoute,
      moveRoute,
      salesRoute,
      keysRoute,
      profileRoute,
      accountRoute,
      inventorySettingsRoute,
      integrationsRoute,
      settingsRoute,
      marketplaceRoute,
      docsRoute,
      guidesRoute,
      jobsRoute,
      webhooksRoute,
      endpointRoute,
      eventsRoute,
      droppedRoute,
    ]),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: PageProblem,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
