import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { screens, states } from "./screens.ts";
import type { Ids, State } from "./screens.ts";
import { openService } from "./service.ts";
import type { Person, Service } from "./service.ts";
import { schemes, takeScreen } from "./take.ts";
import type { Taken } from "./take.ts";

/** Debian's and Ubuntu's place; CHROMIUM_PATH names another. */
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const stepDeadlineMs = 30_000;
const say = (line: string): void => console.log(line);

async function signedIn(
  browser: Browser,
  service: Service,
  person: Person,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: service.url });
  context.setDefaultTimeout(stepDeadlineMs);
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  return { context, page };
}

/** What stands in addresses of the demonstration shop. */
async function idsOf(page: Page, service: Service): Promise<Ids> {
  const headers = { authorization: `Bearer ${service.token}` };
  const firstOf = async (path: string): Promise<string> => {
    const answer = await fetch(service.url + path, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data[0]?.id ?? "";
  };
  await page.goto("/settings/webhooks");
  const link = page.locator('a[href^="/settings/webhooks/whe_"]').first();
  await link.waitFor();
  const endpoint = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  return {
    card: await firstOf("/cards?workflow_status=photographed&limit=1"),
    batch: await firstOf("/batches?limit=1"),
    endpoint,
  };
}

async function takeAll(service: Service, folder: string, named: string): Promise<Taken[]> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const taken: Taken[] = [];
  try {
    const dealer = await signedIn(browser, service, service.dealer);
    const newcomer = await signedIn(browser, service, service.newcomer);
    const stranger = await (await browser.newContext({ baseURL: service.url })).newPage();
    const ids = await idsOf(dealer.page, service);
    const pageOf: Record<State, Page> = {
      full: dealer.page,
      empty: newcomer.page,
      error: dealer.page,
    };
    for (const screen of screens.filter(({ name }) => name.includes(named))) {
      for (const state of screen.states ?? states) {
        const page = screen.isOutside === true ? stranger : pageOf[state];
        const place = { url: service.url, ids, folder, state };
        taken.push(...(await takeScreen(page, screen, place)));
        say(`${screen.name} ${state}`);
      }
    }
  } finally {
    await browser.close();
  }
  return taken;
}

/** All pictures on a page, light beside dark. */
function indexOf(taken: readonly Taken[]): string {
  const rows = [...new Set(taken.map(({ name, state }) => `${name} ${state}`))].map((title) => {
    const pictures = schemes.map((scheme) => {
      const one = taken.find(
        (picture) => `${picture.name} ${picture.state}` === title && picture.scheme === scheme,
      );
      return one === undefined ? "" : `<img src="${one.file}" alt="${title}, ${scheme}">`;
    });
    return `<h2>${title}</h2><div>${pictures.join("")}</div>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font-family:system-ui;margin:24px}div{display:grid;grid-template-columns:1fr 1fr;gap:12px}img{width:100%;border:1px solid #ccc}</style>
${rows.join("\n")}\n`;
}

if (!existsSync(executablePath)) {
  console.error(`There is no ${executablePath}: install chromium, or set CHROMIUM_PATH`);
  process.exit(1);
}
const [given, named = ""] = process.argv.slice(2);
const folder =
  given === undefined
    ? await mkdtemp(join(tmpdir(), "cardvault-screens-"))
    : resolve(process.env["INIT_CWD"] ?? process.cwd(), given);
await mkdir(folder, { recursive: true });
const service = await openService(say);
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    void service.close().then(() => process.exit(1));
  });
}
try {
  const taken = await takeAll(service, folder, named);
  await writeFile(join(folder, "index.html"), indexOf(taken));
  say(`${taken.length} pictures: ${join(folder, "index.html")}`);
} finally {
  await service.close();
}
