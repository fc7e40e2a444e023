import type { ReactNode } from "react";
import { Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";

/** A page of the shell: its title in the tab and at its head, and at most one primary action. */
export function Page(props: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(props.title);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <Title order={1}>{props.title}</Title>
          {props.lead === undefined ? null : <p className="page-lead">{props.lead}</p>}
        </div>
        {props.action}
      </div>
      {props.children}
    </div>
  );
}

/** `Webhooks · Card Vault`. */
export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · Card Vault`);
}
