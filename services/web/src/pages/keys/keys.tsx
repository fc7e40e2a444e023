import type { ApiKey } from "@cardvault/contract";
import { Button, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useAsked } from "../../app/asked.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import "./keys.css";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

/** A window is a minute: what is shown is never much older. */
const usageRefreshMs = 5_000;

type Action = { kind: "create" } | { kind: "rotate" | "revoke"; key: ApiKey };

/** API keys: made, rotated and revoked here; each token is shown one time. */
export function KeysPage() {
  const { ended } = useSearch({ from: "/inside/settings/api" });
  const navigate = useNavigate({ from: "/settings/api" });
  const keys = useQuery(trpc.keys.list.queryOptions());
  const usage = useQuery(
    trpc.keys.usage.queryOptions(undefined, { refetchInterval: usageRefreshMs }),
  );
  const [action, setAction] = useState<Action | null>(null);
  // The only place that ever holds a token: not the cache, not storage, not the address.
  const [token, setToken] = useState<string | null>(null);

  useAsked("new_key", () => setAction({ kind: "create" }));
  const close = () => setAction(null);
  const showToken = (made: string) => {
    close();
    setToken(made);
    void queryClient.invalidateQueries(trpc.keys.list.queryFilter());
  };
  const all = keys.data?.data ?? [];
  const hasEnded = all.some(isEnded);
  const shown = ended === true ? all : all.filter((key) => !isEnded(key));
  const create = <Button onClick={() => setAction({ kind: "create" })}>Create key</Button>;

  return (
    <Page
      title="API keys"
      lead={
        <>
          A program calls this account's API with a key in the Authorization header. Each key is
          shown once, when it is made. How to make a{" "}
          <a href="/docs/guides/first-call">first call</a>, and what{" "}
          <a href="/docs/guides/limits">limits</a> there are.
        </>
      }
      action={all.length > 0 ? create : undefined}
    >
      <div className="panel">
        {hasEnded ? (
          <div className="bulk-bar">
            <Switch
              size="xs"
              label="Show revoked and expired keys"
              checked={ended === true}
              onChange={(event) =>
                void navigate({
                  search: event.currentTarget.checked ? { ended: true } : {},
                  replace: true,
                })
              }
            />
          </div>
        ) : null}
        {keys.isPending ? (
          <TableSkeleton rows={4} columns={[140, 150, 60, 80, 150, 90, 90]} />
        ) : keys.isError ? (
          <ProblemPanel error={keys.error} what="The keys" onRetry={() => void keys.refetch()} />
        ) : shown.length === 0 ? (
          <EmptyState title={hasEnded ? "No key is active" : "No keys yet"} action={create}>
            Make a key for each program that reads your inventory or writes to it, so that one can
            be ended without the others.
          </EmptyState>
        ) : (
          <KeyTable
            keys={shown}
            usage={new Map(usage.data?.data.map((one) => [one.key_id, one.classes]))}
            onRotate={(key) => setAction({ kind: "rotate", key })}
            onRevoke={(key) => setAction({ kind: "revoke", key })}
          />
        )}
      </div>
      <CreateKeyDialog opened={action?.kind === "create"} onClose={close} onMade={showToken} />
      <RotateKeyDialog
        apiKey={action?.kind === "rotate" ? action.key : null}
        onClose={close}
        onMade={showToken}
      />
      <RevokeKeyDialog apiKey={action?.kind === "revoke" ? action.key : null} onClose={close} />
      <SecretDialog
        title="Your new key"
        label="API key"
        secret={token}
        onClose={() => setToken(null)}
      >
        Copy it now and keep it where your program reads its secrets. It is not stored here and
        cannot be shown again.
      </SecretDialog>
    </Page>
  );
}

function isEnded({ status }: ApiKey): boolean {
  return status === "revoked" || status === "expired";
}
