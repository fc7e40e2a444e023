import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { startCuttable } from "./cuttable.ts";
import type { CuttableServer } from "./cuttable.ts";
import { quietPort } from "./ports.ts";
import { root, statusOf } from "./program.ts";
import { deliveriesTo } from "./rows.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";

const deploy = join(root, "tools/deploy");

/** Every expression of the dashboard and of the rules. */
function expressions(): string[] {
  const told = [
    ...readFileSync(join(deploy, "grafana/dashboard.json"), "utf8").matchAll(
      /"expr": ("(?:[^"\\]|\\.)*")/gu,
    ),
  ].map(([, json = '""']) => JSON.parse(json) as string);
  const rules = readFileSync(join(deploy, "prometheus/alerts.yaml"), "utf8")
    .split(/- alert: /u)
    .slice(1)
    .map((rule) => /expr: (?:>-)?([\s\S]*?)\n\s+(?:for|labels):/u.exec(rule)?.[1] ?? "");
  return [...told, ...rules];
}

/** Names of metrics, without what PromQL itself has. `up` is Prometheus' own. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on)\s*\([^)]*\)/gu, " ");
  return [...bare.matchAll(/\b([a-z][a-z0-9_]*)\b(?!\s*\()/gu)]
    .map(([, name = ""]) => name)
    .filter((name) => name.includes("_") || name === "up")
    .filter((name) => !["up", "histogram_quantile"].includes(name));
}

/** By the names of metrics: which labels their series have. A histogram has its three forms. */
function seriesOf(page: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = "", type] of page.matchAll(/^# TYPE (\S+) (\S+)$/gmu)) {
    const forms = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    for (const form of forms) series.set(`${name}${form}`, new Set());
  }
  for (const [, name = "", labels = ""] of page.matchAll(/^([a-z_0-9]+)\{([^}]*)\} /gmu)) {
    for (const [, label = ""] of labels.matchAll(/([a-z_]+)="/gu)) series.get(name)?.add(label);
  }
  return series;
}

test("a running installation tells what the rules and the dashboard ask for, and whether it can work", async (context) => {
  const metricsPort = await quietPort();
  let database: CuttableServer | undefined;
  const stack = await startStack(context, {
    store: "postgres",
    // Of api alone: the stack gives the worker another.
    environment: { METRICS_PORT: String(metricsPort) },
    serviceRole: async (ownerUrl) => {
      const url = new URL(ownerUrl);
      database = await startCuttable(Number(url.port));
      url.hostname = "127.0.0.1";
      url.port = String(database.port);
      return url.href;
    },
  });
  context.onTestFinished(async () => database?.stop());
  const receiver = await startReceiver();
  context.onTestFinished(() => receiver.stop());
  const shop = await openShop(stack);
  const session = await shop.signIn();
  const [card] = await session.createCards([{ title: "Tidewing Drake" }]);
  const endpoint = await shop.receive(receiver.url);
  receiver.script({ kind: "status", status: 500 });
  const asking_price = { amount: 900, currency: "USD" };
  await shop.call("PATCH", `/cards/${card?.id}`, { asking_price });
  await waitFor(async () =>
    (await deliveriesTo(stack, endpoint.id)).some(({ status }) => status === "retrying"),
  );
  // Sixty a minute for an address without a valid token, and one more.
  const refused = await Promise.all(
    Array.from({ length: 61 }, () => statusOf(`${stack.url}/cards`)),
  );
  expect(refused).toContain(429);

  const pages = await Promise.all(
    [`http://127.0.0.1:${metricsPort}/metrics`, `${stack.workerUrl}/metrics`].map(async (url) =>
      (await fetch(url)).text(),
    ),
  );
  const series = pages.map(seriesOf);
  const asked = expressions().map((text) => ({ text, names: metricsIn(text) }));
  expect(asked.length).toBeGreaterThan(25);
  const missing = asked.flatMap(({ text, names }) => {
    if (names.length === 0 && !text.includes("up{")) return [text];
    return names.flatMap((name) => {
      const told = series.flatMap((one) => one.get(name) ?? []);
      if (told.length === 0) return [name];
      const labels = new Set(told.flatMap((one) => [...one]));
      // What has not happened yet has no series, and so no labels.
      if (labels.size === 0) return [];
      const wanted = [...text.matchAll(/\bby\s*\(([^)]*)\)/gu)].flatMap(([, list = ""]) =>
        list.split(",").map((label) => label.trim()),
      );
      return wanted
        .filter((label) => label !== "instance" && !labels.has(label))
        .map((label) => `${name} by ${label}`);
    });
  });
  expect(missing).toEqual([]);
  const [api = "", worker = ""] = pages;
  expect(api).toMatch(
    /vault_http_request_seconds_count\{method="PATCH",route="\/cards\/:id",status="200"\} 1\n/u,
  );
  expect(api).toMatch(/vault_limit_refusals_total\{window="address"\} \d+\n/u);
  expect(api).toContain('vault_events_total{event="card.priced"} 1\n');
  expect(worker).toContain('vault_webhook_failures_total{cause="5xx"} 1\n');
  expect(worker).toMatch(/vault_work_open\{source="delivery"\} [1-9]/u);

  const probes = async (): Promise<Record<string, number>> => {
    const urls = {
      apiLive: `${stack.url}/livez`,
      apiReady: `${stack.url}/readyz`,
      workerLive: `${stack.workerUrl}/livez`,
      workerReady: `${stack.workerUrl}/readyz`,
    };
    const statuses = Object.entries(urls).map(
      async ([name, url]) => [name, await statusOf(url)] as const,
    );
    return Object.fromEntries(await Promise.all(statuses));
  };
  const well = { apiLive: 200, apiReady: 200, workerLive: 200, workerReady: 200 };
  expect(await probes()).toEqual(well);
  for (const how of ["gone", "silent"] as const) {
    database?.cut(how);
    // A new process would not help, so both live on.
    expect(await probes()).toEqual({ ...well, apiReady: 503, workerReady: 503 });
    const page = await fetch(`${stack.workerUrl}/metrics`);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain("nodejs_eventloop_lag_p99_seconds ");
    expect(text).not.toMatch(/^vault_work_overdue\{/mu);
    database?.restore();
    await waitFor(async () => Object.values(await probes()).every((status) => status === 200), {
      deadlineMs: 30_000,
    });
  }
}, 120_000);
