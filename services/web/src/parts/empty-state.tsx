import type { ReactNode } from "react";
import { Title } from "@mantine/core";

/** What stands where there is nothing yet: what it would be, and the next action. */
export function EmptyState(props: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="state-panel">
      <Title order={2}>{props.title}</Title>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}
