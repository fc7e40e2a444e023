import "./section.css";
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

/** A part of a settings page: what it is for at its head, its form or table in a panel beneath. */
export function Section(props: {
  id: string;
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  /** A table fills its panel to the edges. */
  isTable?: boolean;
  children: ReactNode;
}) {
  const { id, title, lead, action, isTable = false, children } = props;
  return (
    <section className="section" aria-labelledby={id}>
      <SectionHead id={id} title={title}>
        {action}
      </SectionHead>
      {lead === undefined ? null : <p className="page-lead section-lead">{lead}</p>}
      <div className={isTable ? "panel" : "panel section-body"}>{children}</div>
    </section>
  );
}
