import { expect } from "vitest";
import { startBalancer } from "./balancer.ts";
import type { Balancer } from "./balancer.ts";
import { expectNoSecrets } from "./no-secrets.ts";
import { quietPort } from "./ports.ts";
import { Program } from "./program.ts";
import { openStack } from "./stack.ts";
import type { Stack, StoreKind, TestEnd } from "./stack.ts";

const processesOfEach = 3;

/** One process of the service, by the address at which it says how it is. */
export interface FleetProcess {
  readonly name: string;
  readonly url: string;
  readonly program: Program;
}

/** A service of several machines: its processes share the two databases, a folder of pictures and nothing else. */
export interface Fleet {
  /** Its `url` is the balancer's. */
  readonly stack: Stack;
  readonly balancer: Balancer;
  readonly apis: readonly FleetProcess[];
  readonly workers: readonly FleetProcess[];
}

/** Starts three of each, and a balancer before the apis. Ends like a stack does. */
export async function startFleet(end: TestEnd, store: StoreKind): Promise<Fleet> {
  const stack = await openStack(end, {
    store,
    environment: {
      RATE_LIMIT_STORE: "postgres",
      DATABASE_POOL_SIZE: "4",
      LOG_LEVEL: "debug",
      // The balancer looks twenty times meanwhile.
      SHUTDOWN_DELAY: "2s",
    },
  });
  const { environment, secrets } = stack;
  const apis = [{ name: "api 1", url: stack.url, program: stack.api }];
  const workers = [{ name: "worker 1", url: stack.workerUrl, program: stack.worker }];
  for (let place = 2; place <= processesOfEach; place += 1) {
    const [port, metricsPort] = [await quietPort(), await quietPort()];
    const [url, workerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}`];
    apis.push({
      name: `api ${place}`,
      url,
      program: new Program({
        file: "services/api/src/main-local.ts",
        environment: { ...environment, PORT: String(port) },
        readyUrl: `${url}/readyz`,
      }),
    });
    workers.push({
      name: `worker ${place}`,
      url: workerUrl,
      program: new Program({
        file: "services/worker/src/main-local.ts",
        environment: { ...environment, METRICS_PORT: String(metricsPort) },
        readyUrl: `${workerUrl}/readyz`,
      }),
    });
  }
  // The first two are the stack's, which looks after them itself.
  const others = [...apis.slice(1), ...workers.slice(1)];
  end.onTestFinished(async () => {
    const gone = others.filter(({ program }) => program.hasEndedByItself).map(({ name }) => name);
    await Promise.all(others.map(({ program }) => program.stop()));
    expect(gone, "programs that ended by themselves").toEqual([]);
    expectNoSecrets(others.map(({ program }) => program.output).join(""), secrets);
  });
  await Promise.all([...apis, ...workers].map(({ program }) => program.start()));
  const balancer = await startBalancer(apis.map(({ url }) => url));
  end.onTestFinished(() => balancer.stop());
  return { stack: { ...stack, url: balancer.url }, balancer, apis, workers };
}
