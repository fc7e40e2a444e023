import { useEffect, useSyncExternalStore } from "react";
import { applyLive, forgetLive } from "./live-cache.ts";
import { isSignInRequired } from "./problem.ts";
import { noteSessionEnded, useSessionEnded } from "./session-ended.ts";
import { trpcClient } from "./trpc.ts";

/** Whether what others change shows by itself. */
export type LiveState = "connecting" | "live" | "lost";

/** A connection that is made again at once is none that anybody has to hear of. */
const lostAfterMs = 4_000;
const retryMs = 5_000;
/** A browser has few connections for all its tabs: one that nobody looks at gives its own back. */
const hiddenForMs = 30_000;

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

function show(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Follows the account while the page is looked at and somebody is signed in. One for the whole page. */
export function useLive(accountId: string | null): void {
  const hasEnded = useSessionEnded();
  useEffect(() => {
    if (accountId === null || hasEnded) return undefined;
    return followAccount();
  }, [accountId, hasEnded]);
}

/** Answers how to stop. */
function followAccount(): () => void {
  let lastEventId: string | undefined;
  let subscription: { unsubscribe: () => void } | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;

  const noteCut = (): void => {
    lost ??= setTimeout(() => show("lost"), lostAfterMs);
  };
  const noteConnected = (): void => {
    clearTimeout(lost);
    lost = undefined;
    show("live");
  };
  const disconnect = (): void => {
    clearTimeout(retry);
    subscription?.unsubscribe();
    subscription = undefined;
  };
  const connect = (): void => {
    disconnect();
    subscription = trpcClient.live.follow.subscribe(
      lastEventId === undefined ? undefined : { lastEventId },
      {
        onData: (message) => {
          lastEventId = message.id;
          noteConnected();
          applyLive(message.data);
        },
        onConnectionStateChange: (next) => {
          if (next.state === "connecting") noteCut();
        },
        onError: (error) => {
          noteCut();
          if (isSignInRequired(error)) noteSessionEnded();
          else retry = setTimeout(connect, retryMs);
        },
        onComplete: () => {
          noteCut();
          retry = setTimeout(connect, retryMs);
        },
      },
    );
  };
  const onVisibility = (): void => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(disconnect, hiddenForMs);
    else if (subscription === undefined) connect();
  };

  document.addEventListener("visibilitychange", onVisibility);
  connect();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hidden);
    clearTimeout(lost);
    disconnect();
    forgetLive();
    show("connecting");
  };
}
