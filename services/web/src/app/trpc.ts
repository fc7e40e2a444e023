import { accountHeader } from "@cardvault/contract";
import type { AppRouter } from "@cardvault/core";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
} from "@trpc/client";
import type { OperationContext } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { currentAccountId } from "./account.ts";
import { isSignInRequired, problemOf } from "./problem.ts";
import { noteSessionEnded } from "./session-ended.ts";

const maxRetries = 2;

function isWorthARetry(error: unknown): boolean {
  const { status } = problemOf(error);
  return status === null || status >= 502;
}

function noteError(error: unknown): void {
  if (isSignInRequired(error)) noteSessionEnded();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteError }),
  mutationCache: new MutationCache({ onError: noteError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < maxRetries && isWorthARetry(error),
    },
  },
});

const url = "/trpc";

/** Whoever made the call: an answer that nobody is signed in has the page ask for the password. */
const fetchWatched: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) noteSessionEnded();
  return response;
};

function accountName(): Record<string, string> {
  const accountId = currentAccountId();
  return accountId === null ? {} : { [accountHeader]: accountId };
}

/** For a change that is meant for this version of a card: another one is 412 `precondition_failed`. */
export function ifVersion(version: number): { context: OperationContext } {
  return { context: { ifMatch: `"${version}"` } };
}

/** For what somebody waits for: sent by itself, it need not wait for what else is asked at that moment. */
export const alone: { context: OperationContext } = { context: { isAlone: true } };

function matchOf(context: OperationContext): string | undefined {
  const match = context["ifMatch"];
  return typeof match === "string" ? match : undefined;
}

export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      // A browser sends no headers with it: the address names the account.
      true: httpSubscriptionLink({ url, connectionParams: accountName }),
      false: splitLink({
        // A header is of a whole request, so what names a version is sent alone.
        condition: ({ context }) => matchOf(context) !== undefined || context["isAlone"] === true,
        true: httpLink({
          url,
          fetch: (input, init) => fetchWatched(input, init as RequestInit),
          headers({ op }) {
            const match = matchOf(op.context);
            return match === undefined ? accountName() : { ...accountName(), "if-match": match };
          },
        }),
        false: httpBatchLink({
          url,
          fetch: (input, init) => fetchWatched(input, init as RequestInit),
          // Proxies and servers cut addresses that are longer.
          maxURLLength: 2_000,
          maxItems: 20,
          headers: accountName,
        }),
      }),
    }),
  ],
});

/** Options for TanStack Query's hooks, typed by the service's own router. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: trpcClient, queryClient });
