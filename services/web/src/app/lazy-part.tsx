import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Component, lazy, useReducer } from "react";
import type { ComponentType, ReactNode } from "react";
import { loadCode } from "./load-code.ts";
import { CodeMissing } from "./problem.ts";

interface BoundaryProps {
  children: ReactNode;
  /** The next look at it asks for the code anew. */
  onFail: () => void;
  onRetry: () => void;
  onMissing: (() => void) | undefined;
}

/** Keeps the page as it is where a part of it does not come. Other errors are the page's own. */
class PartBoundary extends Component<BoundaryProps, { caught: { error: unknown } | null }> {
  override state: { caught: { error: unknown } | null } = { caught: null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }
  override componentDidCatch(error: unknown): void {
    if (!(error instanceof CodeMissing)) return;
    this.props.onFail();
    if (this.props.onMissing === undefined) return;
    tellMissing(error);
    this.props.onMissing();
  }
  readonly retry = (): void => {
    this.setState({ caught: null });
    this.props.onRetry();
  };
  override render(): ReactNode {
    const { caught } = this.state;
    if (caught === null) return this.props.children;
    if (!(caught.error instanceof CodeMissing)) throw caught.error;
    if (this.props.onMissing !== undefined) return null;
    return <MissingNote error={caught.error} onRetry={this.retry} />;
  }
}

function MissingNote({ error, onRetry }: { error: CodeMissing; onRetry: () => void }) {
  return (
    <div role="alert" className="missing-note">
      <span>{wordsOf(error)}</span>
      {error.isReplaced ? (
        <ReloadButton />
      ) : (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** What was to open over the page has no place of its own to say it in. */
function tellMissing(error: CodeMissing): void {
  notifications.show({
    id: error.problem.code,
    color: "red",
    autoClose: !error.isReplaced,
    message: error.isReplaced ? (
      <div className="undo-toast">
        <span>{wordsOf(error)}</span>
        <ReloadButton />
      </div>
    ) : (
      wordsOf(error)
    ),
  });
}

function ReloadButton() {
  return (
    <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
}

function wordsOf({ isReplaced }: CodeMissing): string {
  return isReplaced
    ? "The pages were updated. Reload to open this."
    : "This could not be loaded. Check the connection and try again.";
}

/**
 * A part of a page whose code comes when it is needed, like `lazy` of React, under a Suspense of its user.
 * Where the code does not come the page stays with all that is typed there, and it says so in the part's
 * place; with `onMissing` in a notice, and that is called to close what was to open.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { onMissing?: () => void }> {
  // What has failed once stays failed, so that another one takes its place.
  const asked = () =>
    lazy(async () => ({ default: (await loadCode(load)) as ComponentType<object> }));
  let Part = asked();
  return function LazyPart({ onMissing, ...props }) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    const Now = Part;
    return (
      <PartBoundary onFail={() => (Part = asked())} onRetry={drawAgain} onMissing={onMissing}>
        <Now {...props} />
      </PartBoundary>
    );
  };
}
