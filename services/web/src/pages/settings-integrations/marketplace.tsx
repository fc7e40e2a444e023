import type { ConnectionStatus, ConsentOutcome, MarketplaceConnection } from "@cardvault/contract";
import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconCircleCheck, IconCircleOff, IconPlugConnectedX } from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { useState } from "react";
import { queryClient, trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import type { Tone } from "../../parts/chip.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { counted } from "../../parts/words.ts";
import { MarketplaceSetup } from "./marketplace-setup.tsx";

const looks: Record<ConnectionStatus, { tone: Tone; icon: Icon; words: string }> = {
  unavailable: { tone: "quiet", icon: IconCircleOff, words: "Not set up in this installation" },
  disconnected: { tone: "warning", icon: IconPlugConnectedX, words: "Not connected" },
  connected: { tone: "good", icon: IconCircleCheck, words: "Connected" },
  revoked: { tone: "bad", icon: IconPlugConnectedX, words: "The consent has ended" },
};

const outcomeWords: Record<ConsentOutcome, string> = {
  connected: "eBay is connected.",
  declined: "eBay was not connected, because you did not agree there.",
  expired: "This consent was asked for too long ago, or in another session. Connect again.",
  failed: "eBay did not finish the connection. Try again in a minute.",
};

const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.marketplace.pathKey() });

/** Where the account sells: its connection, and what listings are made with. */
export function Marketplace(props: {
  isOwner: boolean;
  /** How a consent ended that was just given or refused. */
  outcome: ConsentOutcome | undefined;
}) {
  const connection = useQuery(trpc.marketplace.connection.queryOptions());
  return (
    <Section id="marketplace" title="eBay">
      {props.outcome === undefined ? null : (
        <p className="section-lead">
          <output>{outcomeWords[props.outcome]}</output>
        </p>
      )}
      {connection.data !== undefined ? (
        <Shown connection={connection.data} isOwner={props.isOwner} />
      ) : connection.isPending ? (
        <Skeleton height={96} aria-busy="true" />
      ) : (
        <ProblemPanel
          error={connection.error}
          what="The connection to eBay"
          onRetry={() => void connection.refetch()}
        />
      )}
    </Section>
  );
}

function Shown({ connection, isOwner }: { connection: MarketplaceConnection; isOwner: boolean }) {
  const { words, ...look } = looks[connection.status];
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Chip {...look}>{words}</Chip>
        {isOwner ? <ConnectionButton connection={connection} /> : null}
      </Group>
      {connection.status === "unavailable" ? null : (
        <Facts>
          <Fact label="Shop">
            {connection.is_sandbox ? "Simulated, of this test account" : "eBay"}
          </Fact>
          {connection.connected_at === null ? null : (
            <Fact label="Connected">
              <RelativeTime at={connection.connected_at} />
              {connection.connected_by === null ? "" : ` by ${connection.connected_by}`}
            </Fact>
          )}
          {connection.consent_ends_at === null ? null : (
            <Fact label="Consent ends">
              <RelativeTime at={connection.consent_ends_at} />
            </Fact>
          )}
          {connection.revoked_at === null ? null : (
            <Fact label="Consent ended">
              <RelativeTime at={connection.revoked_at} />
            </Fact>
          )}
          <Fact label="Open listings">
            <Link to="/sales">{connection.open_listings.toLocaleString()}</Link>
          </Fact>
        </Facts>
      )}
      {isOwner && connection.status === "connected" ? (
        <MarketplaceSetup connection={connection} />
      ) : null}
    </>
  );
}

function ConnectionButton({ connection }: { connection: MarketplaceConnection }) {
  const [isAsking, setIsAsking] = useState(false);
  const connect = useMutation(
    trpc.marketplace.connect.mutationOptions({
      onSuccess({ consent_url: url }) {
        if (url === null) refresh();
        // Consent is given at the marketplace, which sends the browser back here.
        else window.location.assign(url);
      },
      onError: (error) => tellProblem(error, { title: "The marketplace was not connected" }),
    }),
  );
  const disconnect = useMutation(
    trpc.marketplace.disconnect.mutationOptions({
      onSuccess() {
        setIsAsking(false);
        refresh();
      },
    }),
  );
  const { status, is_sandbox: isSandbox, open_listings: open } = connection;
  if (status === "unavailable" || (isSandbox && status === "connected")) return null;
  if (status !== "connected") {
    return (
      <Button loading={connect.isPending} onClick={() => connect.mutate()}>
        {status === "revoked" ? "Connect again" : "Connect eBay"}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Disconnect…
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Disconnect eBay"
        confirm="Disconnect"
        isPending={disconnect.isPending}
        error={disconnect.error}
        onConfirm={() => disconnect.mutate({ acknowledged: open > 0 })}
        onClose={() => {
          setIsAsking(false);
          disconnect.reset();
        }}
      >
        <Text>
          {open > 0
            ? `${counted(open, "listing")} stay open at eBay, and their sales are not seen here until it is connected again. End them first if you are leaving.`
            : "Nothing is published there any more until it is connected again."}
        </Text>
      </ConfirmDialog>
    </>
  );
}
