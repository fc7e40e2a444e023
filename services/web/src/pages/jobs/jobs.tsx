import "./jobs.css";
import { Link, useSearch } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";
import { AccountsTable } from "./accounts-table.tsx";
import { JobDrawer } from "./job-drawer.tsx";
import { JobList } from "./job-list.tsx";
import { KindsTable } from "./kinds-table.tsx";

/** For operators of the platform: the background work of every account. */
export function JobsPage() {
  const { tab } = useSearch({ from: "/inside/jobs" });
  return (
    <Page title="Jobs" lead="The background work of every account, and how the accounts fare.">
      <nav className="tabs" aria-label="Of the installation" style={{ marginTop: 0 }}>
        <Link className="tab" to="/jobs" search={{}} data-current={tab === undefined || undefined}>
          Jobs
        </Link>
        <Link
          className="tab"
          to="/jobs"
          search={{ tab: "accounts" }}
          data-current={tab === "accounts" || undefined}
        >
          Accounts
        </Link>
      </nav>
      {tab === "accounts" ? (
        <AccountsTable />
      ) : (
        <>
          <KindsTable />
          <JobList />
        </>
      )}
      <JobDrawer />
    </Page>
  );
}
