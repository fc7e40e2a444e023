import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { Wordmark } from "../look/wordmark.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { usePageTitle } from "../parts/page.tsx";

/** Where not even the account could be asked for. */
export function BootProblem({ error }: ErrorComponentProps) {
  usePageTitle("Not reachable");
  const router = useRouter();
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <ProblemPanel error={error} what="Your account" onRetry={() => void router.invalidate()} />
      </div>
    </main>
  );
}
