import { accountHeader, liveMessage } from "@cardvault/contract";
import type { LiveMessage } from "@cardvault/contract";

/** One connection of `live.follow`, until it ends or is cut. */
interface LiveConnection {
  readonly messages: readonly LiveMessage[];
  /** The code of the error that it was ended with, which tells a page to come again. */
  readonly errorCode: string | undefined;
}

export interface LiveFollower {
  /** From the first to the one that is open. */
  readonly connections: readonly LiveConnection[];
  /** Cards that were named in any of them. */
  readonly cards: ReadonlySet<string>;
  readonly isConnected: boolean;
  /** Waits for the connection's end. */
  stop(): Promise<void>;
}

interface Connection {
  messages: LiveMessage[];
  errorCode: string | undefined;
}

/** Follows an account as a browser does: a connection that ends is made again, from where it stood. */
export function followLive(
  url: string,
  { cookie, accountId }: { readonly cookie: string; readonly accountId: string },
): LiveFollower {
  const abort = new AbortController();
  const connections: Connection[] = [];
  const cards = new Set<string>();
  let lastEventId: string | undefined;
  const params = new URLSearchParams({
    connectionParams: JSON.stringify({ [accountHeader]: accountId }),
  });

  const read = async (connection: Connection): Promise<void> => {
    const response = await fetch(`${url}/trpc/live.follow?${params.toString()}`, {
      headers: {
        accept: "text/event-stream",
        cookie,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
      signal: abort.signal,
    });
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const said = saidIn(block);
        lastEventId = said.id ?? lastEventId;
        if (said.event === "serialized-error") {
          connection.errorCode = (said.data as { data: { code: string } }).data.code;
        } else if (said.event === undefined && said.data !== undefined) {
          const message = liveMessage.parse(said.data);
          connection.messages.push(message);
          if (message.type === "changed") for (const id of message.cards) cards.add(id);
        }
      }
    }
  };
  const follow = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const connection: Connection = { messages: [], errorCode: undefined };
      connections.push(connection);
      await read(connection).catch((error: unknown) => {
        if (!abort.signal.aborted) connection.errorCode = String(error);
      });
    }
  };
  const following = follow();
  return {
    connections,
    cards,
    get isConnected() {
      return connections.at(-1)?.messages.some(({ type }) => type === "connected") === true;
    },
    stop: () => {
      abort.abort();
      return following;
    },
  };
}

function saidIn(block: string): { event?: string | undefined; id?: string; data?: unknown } {
  const lines = Object.fromEntries(
    block
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const { event, id, data } = lines;
  return {
    event,
    ...(id === undefined ? {} : { id }),
    ...(data === undefined || data === "" ? {} : { data: JSON.parse(data) as unknown }),
  };
}
