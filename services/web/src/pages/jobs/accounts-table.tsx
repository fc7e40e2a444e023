import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconCircleCheck, IconLock } from "@tabler/icons-react";
import type { AccountHealth } from "@cardvault/contract";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";

const refreshMs = 10_000;

/** How the accounts fare, those with something wrong first. */
export function AccountsTable() {
  const accounts = useQuery(
    trpc.operations.accounts.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  return (
    <div className="panel">
      {accounts.data !== undefined ? (
        <>
          <div className="table-scroll">
            <table className="rows">
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col">State</th>
                  <th scope="col" className="number">
                    Open jobs
                  </th>
                  <th scope="col" className="number">
                    Failed, 7 days
                  </th>
                  <th scope="col" className="number">
                    On their way
                  </th>
                  <th scope="col" className="number">
                    Dropped
                  </th>
                  <th scope="col" className="number">
                    Endpoints off
                  </th>
                </tr>
              </thead>
              <tbody>
                {accounts.data.data.map((health) => (
                  <AccountRow key={health.account.id} health={health} />
                ))}
              </tbody>
            </table>
          </div>
          <div className="list-end">
            <span className="cell-sub">
              {accounts.data.data.length.toLocaleString()} of {accounts.data.total.toLocaleString()}{" "}
              shown, those with something wrong first
            </span>
          </div>
        </>
      ) : accounts.isPending ? (
        <TableSkeleton rows={8} columns={[200, 90, 50, 50, 50, 50, 50]} />
      ) : (
        <ProblemPanel
          error={accounts.error}
          what="The accounts"
          onRetry={() => void accounts.refetch()}
        />
      )}
    </div>
  );
}

function AccountRow({ health }: { health: AccountHealth }) {
  const { account, failed_jobs: failed, dropped_events: dropped } = health;
  const isWrong = failed + dropped + health.disabled_endpoints > 0;
  return (
    <tr>
      <td className="fill">
        <Link to="/jobs" search={{ account: account.id }} className="clip">
          {account.name}
        </Link>
        <span className="cell-sub mono clip">{account.id}</span>
      </td>
      <td className="narrow">
        {health.is_suspended ? (
          <Chip tone="warning" icon={IconLock}>
            Suspended
          </Chip>
        ) : isWrong ? (
          <Chip tone="bad" icon={IconAlertTriangle}>
            Look at it
          </Chip>
        ) : (
          <Chip tone="good" icon={IconCircleCheck}>
            Well
          </Chip>
        )}
        {account.environment === "test" ? <span className="cell-sub">Test account</span> : null}
      </td>
      <td className="narrow number">{health.open_jobs.toLocaleString()}</td>
      <td className="narrow number">
        {failed === 0 ? (
          "0"
        ) : (
          <Link to="/jobs" search={{ account: account.id, status: ["failed"] }}>
            {failed.toLocaleString()}
          </Link>
        )}
      </td>
      <td className="narrow number">{health.undelivered.toLocaleString()}</td>
      <td className="narrow number">{dropped.toLocaleString()}</td>
      <td className="narrow number">{health.disabled_endpoints.toLocaleString()}</td>
    </tr>
  );
}
