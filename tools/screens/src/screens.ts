import type { Page } from "playwright-core";

/** `full`: the demonstration shop. `empty`: an account in which nothing is. `error`: nothing is answered. */
export const states = ["full", "empty", "error"] as const;
export type State = (typeof states)[number];

/** Ids of the demonstration shop that stand in addresses. */
export interface Ids {
  readonly card: string;
  readonly batch: string;
  readonly endpoint: string;
}

export interface Screen {
  readonly name: string;
  readonly path: string | ((ids: Ids) => string);
  /** All three unless told. */
  readonly states?: readonly State[];
  /** For somebody who is not signed in. */
  readonly isOutside?: boolean;
  /** 390 px wide too. */
  readonly isOnPhones?: boolean;
  /** What is done on the page before its picture. */
  readonly act?: (page: Page) => Promise<void>;
}

const withData = ["full", "error"] as const;
const alone = ["full"] as const;

/** Every screen, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { name: "sign-in", path: "/sign-in", isOutside: true, states: alone, isOnPhones: true },
  { name: "invite-used", path: "/auth/invite#token=used", isOutside: true, states: alone },
  { name: "reset", path: "/auth/reset#token=some", isOutside: true, states: alone },
  { name: "dashboard", path: "/", isOnPhones: true },
  { name: "inventory", path: "/inventory" },
  { name: "inventory-grid", path: "/inventory?shown=grid", states: alone },
  {
    name: "bulk-edit",
    path: "/inventory/bulk-edit?workflow_status=priced&sort=title",
    async act(page) {
      // In an empty account there is nothing to select, and without the rows no sheet.
      const sheet = page.getByRole("grid", { name: "Cards to edit" });
      if (!(await sheet.isVisible())) return;
      await page.locator("#cell-1-9").click();
      for (const text of ["12.50", "a lot", "8"]) {
        await page.keyboard.type(text);
        await page.keyboard.press("Enter");
      }
      await page.locator("#cell-1-9").click();
      await page.locator("#cell-5-11").click({ modifiers: ["Shift"] });
    },
  },
  { name: "card", path: ({ card }) => `/inventory/${card}`, states: withData },
  { name: "card-unknown", path: "/inventory/card_01kjn2z6g0fgz9pqafd9r83gq3", states: alone },
  { name: "batches", path: "/inventory/batches" },
  { name: "batch", path: ({ batch }) => `/inventory/batches/${batch}`, states: withData },
  { name: "import", path: "/import" },
  { name: "import-csv", path: "/import/csv" },
  { name: "review", path: "/review", isOnPhones: true },
  { name: "move", path: "/move", states: alone, isOnPhones: true },
  { name: "move-sell", path: "/move?mode=sell", states: alone, isOnPhones: true },
  { name: "sales", path: "/sales" },
  { name: "sales-pull", path: "/sales?tab=pull" },
  { name: "sales-settle", path: "/sales?tab=settle", states: alone },
  { name: "sales-sold", path: "/sales?tab=sold", states: alone },
  { name: "sales-failed", path: "/sales?tab=failed", states: alone },
  { name: "sales-ledger", path: "/sales?tab=ledger" },
  { name: "events", path: "/events" },
  { name: "dropped", path: "/events/dropped" },
  { name: "api-keys", path: "/settings/api", isOnPhones: true },
  { name: "webhooks", path: "/settings/webhooks", isOnPhones: true },
  { name: "endpoint", path: ({ endpoint }) => `/settings/webhooks/${endpoint}`, states: withData },
  {
    name: "endpoint-attempts",
    path: ({ endpoint }) => `/settings/webhooks/${endpoint}?tab=attempts`,
    states: alone,
  },
  {
    name: "endpoint-verify",
    path: ({ endpoint }) => `/settings/webhooks/${endpoint}?tab=verify`,
    states: alone,
  },
  { name: "account", path: "/settings/account", isOnPhones: true },
  { name: "trail", path: "/settings/account?tab=trail", isOnPhones: true },
  {
    name: "account-invite",
    path: "/settings/account",
    states: alone,
    act: (page) => page.getByRole("button", { name: "Invite…" }).click(),
  },
  { name: "inventory-settings", path: "/settings/inventory", isOnPhones: true },
  {
    name: "labels",
    path: "/settings/inventory",
    states: alone,
    async act(page) {
      await page.getByRole("button", { name: /^Print/ }).click();
      await page.getByAltText("The first page of the labels").waitFor();
    },
  },
  { name: "integrations", path: "/settings/integrations", isOnPhones: true },
  { name: "profile", path: "/settings/profile", states: withData, isOnPhones: true },
  { name: "jobs", path: "/jobs", states: withData },
  { name: "jobs-accounts", path: "/jobs?tab=accounts", states: alone },
  {
    name: "job",
    path: "/jobs",
    states: alone,
    act: (page) => page.locator("table.rows td.fill a").last().click(),
  },
  { name: "palette", path: "/", states: alone, act: (page) => page.keyboard.press("Control+k") },
  { name: "help", path: "/", states: alone, act: (page) => page.keyboard.press("?") },
  { name: "not-found", path: "/settings/nothing", states: alone },
  { name: "docs", path: "/docs", isOutside: true, states: alone },
  { name: "guides", path: "/docs/guides", isOutside: true, states: alone },
  { name: "guide", path: "/docs/guides/webhooks", isOutside: true, states: alone },
];
