import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import type { Ids, Screen, State } from "./screens.ts";

export const schemes = ["light", "dark"] as const;

const settledDeadlineMs = 20_000;
const phone = { width: 390, height: 844 };
const desk = { width: 1360, height: 900 };
/** What stands on every page: without it there is no page to fail. */
const ofShell = /^(?:accounts\.(?:current|mine|overview)|notices\.list|jobs\.list|live\.follow)$/u;

/** A picture that was taken: of which screen, and where it is. */
export interface Taken {
  readonly name: string;
  readonly state: State;
  readonly scheme: (typeof schemes)[number];
  readonly file: string;
}

/** One screen in one state, light and dark, and on a phone where that is asked for. */
export async function takeScreen(
  page: Page,
  screen: Screen,
  place: {
    readonly url: string;
    readonly ids: Ids;
    readonly folder: string;
    readonly state: State;
  },
): Promise<Taken[]> {
  const { url, ids, folder, state } = place;
  const isFailing = state === "error";
  if (isFailing) await page.route(/\/trpc\//u, failUnlessShell);
  try {
    await page.setViewportSize(desk);
    await page.goto(url + (typeof screen.path === "string" ? screen.path : screen.path(ids)));
    await settled(page);
    await screen.act?.(page);
    await settled(page);
    const taken = await inBothSchemes(
      page,
      `${screen.name}-${state}`,
      { ...place, folder },
      screen,
    );
    if (screen.isOnPhones !== true || state !== "full") return taken;
    await page.setViewportSize(phone);
    await settled(page);
    return [...taken, ...(await inBothSchemes(page, `${screen.name}-phone`, place, screen))];
  } finally {
    if (isFailing) await page.unroute(/\/trpc\//u, failUnlessShell);
  }
}

async function inBothSchemes(
  page: Page,
  name: string,
  { folder, state }: { readonly folder: string; readonly state: State },
  screen: Screen,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await settled(page);
    const file = `${name}-${scheme}.png`;
    await page.screenshot({ path: join(folder, file), animations: "disabled" });
    taken.push({ name: name === `${screen.name}-phone` ? name : screen.name, state, scheme, file });
  }
  return taken;
}

/** What the page itself asks for is not answered, as when the service is away. */
async function failUnlessShell(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const asked = decodeURIComponent(pathname.slice("/trpc/".length)).split(",");
  await (asked.every((procedure) => ofShell.test(procedure)) ? route.continue() : route.abort());
}

/** The page is there, and nothing is being loaded any more: no skeleton, no picture. One that never settles is shown so. */
async function settled(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () =>
        document.querySelector("h1") !== null &&
        document.querySelector('[aria-busy="true"], .mantine-Skeleton-root[data-visible]') ===
          null &&
        [...document.images].every((image) => image.loading === "lazy" || image.complete),
      undefined,
      { timeout: settledDeadlineMs },
    )
    .catch(() => undefined);
  // Two frames, in which what was answered last is drawn.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
}
