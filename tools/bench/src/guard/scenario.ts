import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { createTestSender } from "@cardvault/delivery";
import {
  allowLoopback,
  createDnsResolver,
  createGuardedClient,
  createSecretBox,
  newId,
  systemClock,
} from "@cardvault/kit";
import type { GuardedClient } from "@cardvault/kit";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";
import { hostileAddresses, hostileHosts } from "./hostile-hosts.ts";
import { startNameServer } from "./name-server.ts";
import type { NameServer } from "./name-server.ts";
import { allowedAddress, slowKinds, startCountingServer, startSlowServer } from "./servers.ts";
import type { CountingServer, SlowKind } from "./servers.ts";

const publicAddress = "93.184.216.34";

export const guardScenario: Scenario = {
  name: "guard",
  sentence: "hostile addresses, names that turn hostile, and answers that never end",
  async run() {
    const counting = await startCountingServer();
    const slow = await startSlowServer();
    const names = await startNameServer();
    try {
      await reachOnce(counting);
      const control = counting.reached().hostile;
      const [attacks, ended] = await Promise.all([
        attack(counting, names),
        endSlowAnswers(slow.port),
      ]);
      return {
        figures: {
          hosts: hostileHosts.length,
          addresses: hostileAddresses.length,
          ...attacks,
          reached: counting.reached().hostile - control,
          // That the same server is reached without the guard, and by a name that may be.
          control,
          allowed: counting.reached().allowed,
          ...Object.fromEntries(ended.map(([kind, ms]) => [`${kind}_ms`, round(ms)])),
        },
        goals: [
          { figure: "hosts", atLeast: 60 },
          { figure: "rebindings", atLeast: 60 },
          { figure: "reached", atMost: 0 },
          { figure: "not_refused", atMost: 0 },
          { figure: "control", atLeast: 1 },
          { figure: "allowed", atLeast: hostileAddresses.length },
          ...(["drip_head", "drip_body", "huge_slow"] as const).map((kind) => ({
            figure: `${kind}_ms`,
            atLeast: 10_000,
            atMost: 10_300,
          })),
          // What is too long is cut off, and not waited for.
          { figure: "huge_fast_ms", atMost: 10_300 },
        ],
      };
    } finally {
      counting.close();
      slow.close();
      names.close();
    }
  },
};

type Send = (url: string) => Promise<{ errorCode: string | null; totalMs: number }>;

/** The sender of deliveries, with a client and ports of the scenario's choice. */
function senderOf(
  client: GuardedClient,
  allowedPorts: readonly number[],
  loopbackClient?: GuardedClient,
): Send {
  const secretBox = createSecretBox([{ id: "bench", key: randomBytes(32) }]);
  const endpointId = newId("whe");
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const current = secretBox.seal(secret, endpointId);
  const send = createTestSender({
    clock: systemClock,
    secretBox,
    client,
    loopbackClient,
    allowedPorts,
  });
  return async (url) => {
    const { errorCode, timings } = await send({
      eventId: newId("evt"),
      endpointId,
      environment: "test",
      url,
      body: "{}",
      secrets: { current, next: null, switchAt: null },
    });
    return { errorCode, totalMs: timings.totalMs };
  };
}

/** Sends to all of them, every way there is. Answers how much was tried, and what was not refused. */
async function attack(
  { port }: CountingServer,
  names: NameServer,
): Promise<{ sends: number; rebindings: number; not_refused: number }> {
  // Every port and both schemes are allowed, so that nothing but the address can be the reason.
  const client = createGuardedClient({
    allowedPorts: [port],
    resolver: createDnsResolver([names.address]),
    allowAddress: (address) => address === allowedAddress,
  });
  const send = senderOf(client, [port]);
  const refusals = new Set(["address_refused", "url_refused"]);
  const tally = { sends: 0, rebindings: 0, not_refused: 0 };
  const mustRefuse = async (what: string, sent: Promise<{ errorCode: string | null }>) => {
    tally.sends += 1;
    const { errorCode } = await sent;
    if (refusals.has(errorCode ?? "")) return;
    tally.not_refused += 1;
    console.log(`NOT REFUSED: ${what} (${errorCode ?? "answered"})`);
  };
  const mustRefuseName = (name: string, what: string): Promise<void> =>
    mustRefuse(what, send(`https://${name}:${port}/`));

  try {
    for (const host of hostileHosts) {
      for (const scheme of ["https", "http"]) {
        const url = `${scheme}://${host}:${port}/`;
        await mustRefuse(`${url} of an endpoint`, send(url));
        // Behind the check of the URL, which refuses literal addresses, stands the client's own.
        await mustRefuse(`${url} of the client`, sendPlainly(client, url));
      }
    }
    for (const [index, address] of hostileAddresses.entries()) {
      const name = (kind: string): string => `${kind}${index}.receiver.example`;
      names.teach(name("alone"), [address]);
      await mustRefuseName(name("alone"), `a name of ${address}`);
      names.teach(name("mixed"), [publicAddress, address, "2606:4700::1111"]);
      await mustRefuseName(name("mixed"), `a name of ${address} among good ones`);
      // Good when it is asked first, hostile ever after.
      names.teach(name("flips"), [allowedAddress], [address]);
      await send(`https://${name("flips")}:${port}/`);
      await mustRefuseName(name("flips"), `a name that turns to ${address}`);
      tally.rebindings += 1;
    }
  } finally {
    await client.close();
  }
  return tally;
}

async function sendPlainly(
  client: GuardedClient,
  url: string,
): Promise<{ errorCode: string | null }> {
  const limits = { timeoutMs: 5_000, maxResponseBytes: 100 };
  const result = await client.send({ method: "POST", url, body: "{}", ...limits });
  return { errorCode: result.ok ? null : result.errorCode };
}

/** How long the sender takes for each kind of answer that does not end. */
async function endSlowAnswers(port: number): Promise<[SlowKind, number][]> {
  const client = createGuardedClient();
  const loopbackClient = createGuardedClient({ allowAddress: allowLoopback });
  const send = senderOf(client, [443], loopbackClient);
  try {
    return await Promise.all(
      slowKinds.map(async (kind): Promise<[SlowKind, number]> => {
        const startedMs = performance.now();
        await send(`http://127.0.0.1:${port}/${kind}`);
        return [kind, performance.now() - startedMs];
      }),
    );
  } finally {
    await Promise.all([client.close(), loopbackClient.close()]);
  }
}

function reachOnce({ port }: CountingServer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).once("close", () => resolve());
  });
}
