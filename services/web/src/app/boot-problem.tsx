import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Wordmark } from "../look/wordmark.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { usePageTitle } from "../parts/page.tsx";
import { isSignInRequired, problemOf } from "./problem.ts";
import { queryClient, trpc } from "./trpc.ts";

const askAgainMs = 5_000;

/** Where not even the account could be asked for. What may pass is asked for again until it has. */
export function BootProblem({ error }: ErrorComponentProps) {
  usePageTitle("Not reachable");
  const router = useRouter();
  const { code, status } = problemOf(error);
  const mayPass = code === "unreachable" || (status !== null && status >= 502);
  useEffect(() => {
    if (!mayPass) return undefined;
    // Behind the page, so that it does not flicker while nobody answers.
    const timer = setInterval(() => {
      queryClient
        .fetchQuery({ ...trpc.accounts.mine.queryOptions(), staleTime: 0 })
        .then(() => true, isSignInRequired)
        .then((isAnswered) => (isAnswered ? router.invalidate() : undefined))
        .catch(() => undefined);
    }, askAgainMs);
    return () => clearInterval(timer);
  }, [mayPass, router]);
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <ProblemPanel error={error} what="Your account" onRetry={() => void router.invalidate()} />
      </div>
    </main>
  );
}
