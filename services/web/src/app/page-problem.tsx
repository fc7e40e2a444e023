import { Button, Group, Title } from "@mantine/core";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { usePageTitle } from "../parts/page.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { CodeMissing, problemOf } from "./problem.ts";
import { queryClient } from "./trpc.ts";

/** In the place of a page that could not be drawn. All that stands around it stays usable. */
export function PageProblem({ error }: ErrorComponentProps) {
  usePageTitle("This page could not be shown");
  return (
    <div className="page">
      <div className="panel">
        <PageProblemPanel error={error} />
      </div>
    </div>
  );
}

/** What has happened to a page, in words, and the one thing that helps. */
export function PageProblemPanel({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const problem = problemOf(error);
  function retry(): void {
    reset();
    // What the page was answered may be what it failed on; what others show stays.
    queryClient.removeQueries({ type: "inactive" });
    void router.invalidate();
  }
  const isOurs = problem.code === "page_failed" || error instanceof CodeMissing;
  if (!isOurs) return <ProblemPanel error={error} what="This page" onRetry={retry} />;
  const isReplaced = error instanceof CodeMissing && error.isReplaced;
  const title = isReplaced
    ? "The pages were updated"
    : error instanceof CodeMissing
      ? "This page could not be loaded"
      : "This page failed";
  return (
    <div className="state-panel" role="alert">
      <Title order={1}>{title}</Title>
      <p>{problem.message}</p>
      <span className="cell-sub mono">{problem.code}</span>
      <Group gap={8}>
        {isReplaced ? null : (
          <Button variant="default" onClick={retry}>
            Retry
          </Button>
        )}
        {error instanceof CodeMissing && !isReplaced ? null : (
          <Button
            variant={isReplaced ? "filled" : "default"}
            onClick={() => window.location.reload()}
          >
            Reload
          </Button>
        )}
      </Group>
    </div>
  );
}
