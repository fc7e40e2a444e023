import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Wordmark } from "../look/wordmark.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { usePageTitle } from "../parts/page.tsx";
import { PageProblemPanel } from "./page-problem.tsx";
import { CodeMissing, isSignInRequired, problemOf } from "./problem.ts";
import { queryClient, trpc } from "./trpc.ts";

const askAgainMs = 5_000;

/**
 * Where there is no shell: not even the account could be asked for, or a page outside it failed. What may
 * pass is asked for again until it has.
 */
export function BootProblem({ error }: ErrorComponentProps) {
  const router = useRouter();
  const { code, status } = problemOf(error);
  const isOfPages = code === "page_failed" || error instanceof CodeMissing;
  usePageTitle(isOfPages ? "This page could not be shown" : "Not reachable");
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
        {isOfPages ? (
          <PageProblemPanel error={error} />
        ) : (
          <ProblemPanel
            error={error}
            what="Your account"
            onRetry={() => void router.invalidate()}
          />
        )}
      </div>
    </main>
  );
}
