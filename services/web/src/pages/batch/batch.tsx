import "./batch.css";
import type { Batch } from "@cardvault/contract";
import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { LinkButton } from "../../parts/link-button.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { BatchDialog } from "../batches/batch-dialog.tsx";
import { BatchActions } from "./batch-actions.tsx";
import { BatchCards } from "./batch-cards.tsx";
import { BatchDefaultsPanel, BatchFacts } from "./batch-facts.tsx";
import { BatchJobs } from "./batch-jobs.tsx";
import { BatchStages } from "./batch-stages.tsx";
import { CompleteDialog, useReopen } from "./complete-dialog.tsx";
import { CostDialog } from "./cost-dialog.tsx";
import { TextsDialog } from "./texts-dialog.tsx";

/** One batch: how far its cards are, what is left, and what is done to all of them. */
export function BatchPage() {
  const { id } = useParams({ from: "/inside/inventory/batches/$id" });
  return <BatchOf key={id} id={id} />;
}

function BatchOf({ id }: { id: string }) {
  const batch = useQuery(trpc.batches.get.queryOptions({ id }));
  if (batch.data !== undefined) return <Shown batch={batch.data} />;
  return (
    <Page title="Batch" lead={<Link to="/inventory/batches">Batches</Link>}>
      {batch.isPending ? (
        <BatchSkeleton />
      ) : (
        <div className="panel">
          <ProblemPanel error={batch.error} what="The batch" onRetry={() => void batch.refetch()} />
        </div>
      )}
    </Page>
  );
}

type Dialog = "edit" | "complete" | "cost" | "texts" | null;

function Shown({ batch }: { batch: Batch }) {
  const [dialog, setDialog] = useState<Dialog>(null);
  const reopen = useReopen(batch);
  const close = () => setDialog(null);
  const isComplete = batch.status === "complete";
  return (
    <Page
      title={batch.name}
      lead={
        <>
          <Link to="/inventory/batches">Batches</Link>
          {" · "}
          <span className="mono">{batch.code}</span>
          {batch.source === null ? null : ` · ${batch.source}`}
        </>
      }
      action={
        <Group gap="xs">
          {isComplete ? (
            <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
              Reopen
            </Button>
          ) : (
            <>
              <Button onClick={() => setDialog("complete")}>Complete…</Button>
              <LinkButton to="/import" search={{ batch: batch.id }} variant="default">
                Add photos
              </LinkButton>
              <Button variant="default" onClick={() => setDialog("cost")}>
                Spread cost…
              </Button>
              <Button variant="default" onClick={() => setDialog("texts")}>
                Listing texts…
              </Button>
              <Button variant="default" onClick={() => setDialog("edit")}>
                Edit…
              </Button>
            </>
          )}
        </Group>
      }
    >
      <Stack gap="lg">
        <BatchFacts batch={batch} reopenError={reopen.error} />
        <BatchJobs batchId={batch.id} />
        <BatchStages batch={batch} />
        <BatchActions batch={batch} />
        <BatchCards batch={batch} />
        <BatchDefaultsPanel batch={batch} />
      </Stack>
      <BatchDialog opened={dialog === "edit"} batch={batch} onClose={close} onSaved={close} />
      <TextsDialog batch={batch} opened={dialog === "texts"} onClose={close} />
      <CompleteDialog batch={batch} opened={dialog === "complete"} onClose={close} />
      <CostDialog
        batch={batch}
        opened={dialog === "cost"}
        onClose={close}
        onEdit={() => setDialog("edit")}
      />
    </Page>
  );
}

function BatchSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={72} />
      <Skeleton height={94} />
      <Skeleton height={56} />
      <Skeleton height={180} />
    </Stack>
  );
}
