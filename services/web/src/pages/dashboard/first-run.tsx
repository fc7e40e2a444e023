import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconBuildingStore, IconFileImport, IconUserCheck } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { LinkButton } from "../../parts/link-button.tsx";

const steps = [
  {
    icon: IconFileImport,
    title: "Import",
    text: "Drop photos of your cards, or a list from another tool. Nothing is made before you have seen it.",
    to: "/import",
    action: "Import cards",
  },
  {
    icon: IconUserCheck,
    title: "Review",
    text: "Cards are identified by themselves. Those in doubt wait for you, one a screen, with candidates on keys 1 to 5.",
    to: "/review",
    action: "Open the review",
  },
  {
    icon: IconBuildingStore,
    title: "Publish",
    text: "Price what is identified, one by one or by a rule, and put it on the marketplace. Sales come back here.",
    to: "/inventory",
    action: "Open the inventory",
  },
] as const;

/** What an account without a card can do, in the order in which it is done. */
export function FirstRun() {
  const isOwner = useQuery(trpc.accounts.current.queryOptions()).data?.role === "owner";
  return (
    <section aria-labelledby="begin">
      <Title order={2} id="begin" mb="xs">
        From a box of cards to sold
      </Title>
      <ol className="steps">
        {steps.map(({ icon: Shape, title, text, to, action }, index) => (
          <li key={title} className="panel">
            <span className="figure-label">
              <Shape size={16} stroke={1.75} aria-hidden />
              Step {index + 1}
            </span>
            <Title order={3}>{title}</Title>
            <p>{text}</p>
            <LinkButton to={to as string} variant={index === 0 ? "filled" : "default"}>
              {action}
            </LinkButton>
          </li>
        ))}
      </ol>
      {isOwner ? (
        <p className="cell-sub">
          For programs: <Link to="/settings/api">make an API key</Link>,{" "}
          <Link to="/settings/webhooks">add a webhook endpoint</Link>, read the{" "}
          <a href="/docs/guides">guides</a> and the <a href="/docs">API reference</a>.
        </p>
      ) : null}
    </section>
  );
}
