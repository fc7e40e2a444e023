import { Button, Group } from "@mantine/core";
import { ProblemNote } from "./problem-panel.tsx";

/** What of a query says that there is nothing to show, and why. */
export interface Reading {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
}

/** Nothing was read, and nothing is on its way. */
export function isUnread({ data, error }: Reading): boolean {
  return data === undefined && error !== null;
}

/** What stands in the place of a figure that is not there: it comes, or it does not. */
export function missingFigure(reading: Reading): string {
  return isUnread(reading) ? "–" : "…";
}

/** Beside figures that could not be loaded: why, and Retry. Nothing where they are there or on their way. */
export function NotRead({ reading, what }: { reading: Reading; what: string }) {
  if (!isUnread(reading)) return null;
  return (
    <Group gap="xs" align="flex-start" className="cell-sub">
      <span>{`${what} could not be loaded.`}</span>
      <ProblemNote error={reading.error} />
      <Button size="compact-xs" variant="default" onClick={() => void reading.refetch()}>
        Retry
      </Button>
    </Group>
  );
}
