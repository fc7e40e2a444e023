import type { BrowserContext, Page } from "playwright-core";
import { pageText, storedText } from "./browser.ts";
import type { House } from "./house.ts";

const sessionCookie = "vault.session_token";

/** What the page holds of the service's answers and of what was sent, found where React keeps it. */
async function cachedText(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    interface Node {
      memoizedProps: { client?: Client } | null;
      child: Node | null;
      sibling: Node | null;
    }
    interface Client {
      getQueryCache(): { getAll(): { queryKey: unknown; state: unknown }[] };
      getMutationCache(): { getAll(): { state: unknown }[] };
    }
    const root = document.querySelector("#root");
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
    const open = [(root as unknown as Record<string, Node>)[key ?? ""]];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const client = node.memoizedProps?.client;
      if (client !== undefined && "getQueryCache" in client) {
        const queries = client.getQueryCache().getAll();
        const mutations = client.getMutationCache().getAll();
        return JSON.stringify([
          queries.map(({ queryKey, state }) => [queryKey, state]),
          mutations.map(({ state }) => state),
        ]);
      }
      for (const next of [node.sibling, node.child]) if (next !== null) open.push(next);
    }
    return null;
  });
  if (text === null) throw new Error("The page has no cache where it was looked for");
  return text;
}

/**
 * Which of the secrets are found where none may be: in what the page shows and keeps, its address, its cache,
 * its console, and what the service has written. The session's own cookie is looked for everywhere but in
 * the browser's jar, which is its place.
 * @param secrets by a name for the message
 * @param elsewhere texts of the test's own to look through too
 */
export async function leaks(
  at: { page: Page; context: BrowserContext; house: House },
  secrets: Record<string, string>,
  elsewhere: readonly string[] = [],
): Promise<string[]> {
  const { page, context, house } = at;
  const places: Record<string, string> = {
    page: await pageText(page),
    cache: await cachedText(page),
    log: house.output(),
    console: elsewhere.join("\n"),
  };
  const cookies = await context.cookies();
  const session = cookies.find(({ name }) => name === sessionCookie)?.value;
  if (session === undefined) throw new Error(`There is no cookie ${sessionCookie}`);
  // As it is sent, and the token in it without its signature.
  const all = { ...secrets, session, "session token": session.split(".")[0] ?? session };
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(all)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => `${name} in ${place} of ${page.url()}`),
  );
  const stored = await storedText(page, context);
  for (const [name, secret] of Object.entries(secrets)) {
    if (stored.includes(secret)) found.push(`${name} in storage of ${page.url()}`);
  }
  return found;
}
