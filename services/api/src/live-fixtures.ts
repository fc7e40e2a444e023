import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { accountHeader, liveMessage } from "@cardvault/contract";
import type { LiveMessage } from "@cardvault/contract";
import { freePort, waitFor } from "@cardvault/testkit";
import { onTestFinished } from "vitest";
import { password, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

/** What a stream said, in its order. */
interface Said {
  /** tRPC's own: `connected`, `serialized-error`, `ping`; undefined for a message. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: unknown;
}

export interface Stream {
  readonly said: readonly Said[];
  messages(): LiveMessage[];
  /** Of the last message, as a browser sends it when it comes again. */
  lastEventId(): string | undefined;
  /** The code of the error that ended it. */
  errorCode(): string | undefined;
  /** Waits for such a message, counted from the begin. */
  told<Type extends LiveMessage["type"]>(
    type: Type,
    holds?: (message: Extract<LiveMessage, { type: Type }>) => boolean,
  ): Promise<Extract<LiveMessage, { type: Type }>>;
  readonly ended: Promise<void>;
  cut(): void;
}

export interface FollowOptions {
  readonly cookie?: string | undefined;
  readonly accountId?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly onMessage?: ((message: LiveMessage) => void) | undefined;
}

/** Follows an account as the browser's own EventSource does, over a real connection. */
export async function follow(origin: string, options: FollowOptions): Promise<Stream> {
  const { cookie, accountId, lastEventId, onMessage } = options;
  const url = new URL("/trpc/live.follow", origin);
  if (accountId !== undefined) {
    url.searchParams.set("connectionParams", JSON.stringify({ [accountHeader]: accountId }));
  }
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: {
      accept: "text/event-stream",
      ...(cookie === undefined ? {} : { cookie }),
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: abort.signal,
  });
  const said: Said[] = [];
  const messages = (): LiveMessage[] =>
    said.flatMap(({ event, data }) => (event === undefined ? [liveMessage.parse(data)] : []));
  const read = async (): Promise<void> => {
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const one of blocks.flatMap((block) => saidIn(block))) {
        said.push(one);
        if (one.event === undefined) onMessage?.(liveMessage.parse(one.data));
      }
    }
  };
  const stream: Stream = {
    said,
    messages,
    lastEventId: () => said.findLast(({ id }) => id !== undefined)?.id ?? lastEventId,
    errorCode: () => {
      const error = said.find(({ event }) => event === "serialized-error")?.data;
      return (error as { data?: { code?: string } } | undefined)?.data?.code;
    },
    told: (type, holds = () => true) =>
      waitFor(() =>
        messages().find(
          (message): message is never => message.type === type && holds(message as never),
        ),
      ),
    ended: read().catch(() => undefined),
    cut: () => abort.abort(),
  };
  onTestFinished(() => stream.cut());
  return stream;
}

function saidIn(block: string): Said[] {
  const lines = new Map(
    block
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = lines.get("data");
  if (data === undefined) return [];
  const value: unknown = data === "" ? "" : JSON.parse(data);
  return [{ event: lines.get("event"), id: lines.get("id"), data: value }];
}

/** The house's own process as one that listens. Answers its address. */
export async function listen({ app }: House): Promise<string> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

let addresses = 0;

/** The cookie of somebody who signs in, each from an address of their own: sign-ins from one are few. */
export async function signIn({ app }: House, { email }: Pick<Dealer, "email">): Promise<string> {
  addresses += 1;
  const response = await app.inject({
    method: "POST",
    url: "/auth/sign-in/email",
    remoteAddress: `192.0.2.${addresses}`,
    headers: { origin: publicUrl },
    payload: { email, password },
  });
  const cookies = [response.headers["set-cookie"] ?? []].flat();
  return cookies.map((cookie) => cookie.split(";")[0]).join("; ");
}

export interface ApiProcess {
  readonly origin: string;
  /** SIGTERM. Answers the exit status. */
  stop(): Promise<number | null>;
}

/** Another process of the service on the same database. */
export async function startNeighbour(house: House, dataFolder: string): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
    env: {
      PATH: "",
      DATABASE_URL: house.databaseUrl,
      DATA_DIR: dataFolder,
      PUBLIC_URL: publicUrl,
      PORT: String(port),
      VAULT_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
      LOG_LEVEL: "fatal",
    },
    stdio: "inherit",
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${origin}/readyz`)).ok, { deadlineMs: 30_000 });
  return {
    origin,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
