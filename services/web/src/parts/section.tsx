import { Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A heading within a page, with what it counts or leads to beside it. */
export function SectionHead(props: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="section-head">
      <Title order={2} id={props.id}>
        {props.title}
      </Title>
      {props.children}
    </div>
  );
}
