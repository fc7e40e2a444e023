import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { AccountFacts } from "./account-facts.tsx";
import { Members } from "./members.tsx";
import { TestAccount } from "./test-account.tsx";
import { Trail } from "./trail.tsx";

/** The account: its name, who works in it, the test account beside it, and who did what. */
export function AccountPage() {
  const { tab } = useSearch({ from: "/inside/settings/account" });
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  return (
    <Page title="Account" lead={current.account.name}>
      <nav className="tabs" aria-label="Of the account" style={{ marginTop: 0 }}>
        <Link
          className="tab"
          to="/settings/account"
          search={{}}
          activeOptions={{ exact: true }}
          data-current={tab === undefined || undefined}
        >
          Account and members
        </Link>
        <Link
          className="tab"
          to="/settings/account"
          search={{ tab: "trail" }}
          data-current={tab === "trail" || undefined}
        >
          Trail
        </Link>
      </nav>
      {tab === "trail" ? (
        <Trail />
      ) : (
        <>
          <AccountFacts current={current} />
          <Members current={current} />
          <TestAccount current={current} />
        </>
      )}
    </Page>
  );
}
