import type { Batch, BulkAction, CardFilter } from "@cardvault/contract";
import { Button, Group, Menu, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { useRequestKey } from "../../parts/request-key.ts";
import { counted } from "../../parts/words.ts";
import { PublishDialog } from "../inventory/bulk/publish-dialog.tsx";
import { MoveCardsDialog } from "./move-cards-dialog.tsx";
import { PriceRuleDialog } from "./price-rule-dialog.tsx";
import { PutInBatchDialog } from "./put-in-batch-dialog.tsx";

type Dialog = "price" | "move" | "publish" | "batch" | "archive" | null;
type Narrowed = Omit<CardFilter, "batch">;

/** Begins a job over the cards of a batch, or over some of them. */
function useBatchJob(batchId: string) {
  const key = useRequestKey();
  return useMutation({
    mutationFn({ action, only = {} }: { action: BulkAction; only?: Narrowed }) {
      const request = {
        selection: { filter: { batch: [batchId], ...only }, except: [] },
        action,
      };
      return trpcClient.bulk.start.mutate({ ...request, idempotency_key: key.keyFor(request) });
    },
    onSuccess(job) {
      key.forget();
      followJob(job);
      void queryClient.invalidateQueries({ queryKey: trpc.batches.pathKey() });
    },
  });
}

/** What is done to all cards of a batch at once, each a job with progress and undo. */
export function BatchActions({ batch }: { batch: Batch }) {
  const [dialog, setDialog] = useState<Dialog>(null);
  const start = useBatchJob(batch.id);
  const { card_count: count, counts } = batch;
  // Sold and archived cards have had their turn.
  const publishable = count - counts.imported - counts.sold - counts.archived;
  if (count === 0) return null;
  const close = () => {
    start.reset();
    setDialog(null);
  };
  const run = (action: BulkAction, only?: Narrowed) =>
    start.mutate({ action, ...(only === undefined ? {} : { only }) }, { onSuccess: close });
  const inDialog = { isPending: start.isPending, error: start.error, onClose: close };
  return (
    <section aria-label="All its cards">
      <Group gap="xs">
        <Button
          variant="default"
          disabled={counts.imported === 0}
          loading={start.isPending && dialog === null}
          onClick={() => run({ type: "identify" }, { workflow_status: ["imported"] })}
        >
          {counts.imported === 0
            ? "All are identified"
            : `Identify ${counted(counts.imported, "card")}`}
        </Button>
        <Button variant="default" onClick={() => run({ type: "lookup_prices" })}>
          Look up prices
        </Button>
        <Button variant="default" onClick={() => setDialog("price")}>
          Price by rule…
        </Button>
        <Button variant="default" onClick={() => setDialog("move")}>
          Move…
        </Button>
        <Button variant="default" disabled={publishable === 0} onClick={() => setDialog("publish")}>
          Publish…
        </Button>
        <Menu>
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog("batch")}>Put in another batch…</Menu.Item>
            <Menu.Item onClick={() => setDialog("archive")}>Archive…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {dialog === null ? <ProblemNote error={start.error} /> : null}
      <PriceRuleDialog
        {...inDialog}
        opened={dialog === "price"}
        what={`${counted(count, "card")} of ${batch.name}`}
        selection={{ filter: { batch: [batch.id] }, except: [] }}
        onStart={(rule) => run({ type: "price_rule", rule })}
      />
      <MoveCardsDialog
        {...inDialog}
        opened={dialog === "move"}
        what={counted(count, "card")}
        onMove={(location) => run({ type: "move", location })}
      />
      {dialog === "publish" ? (
        <PublishDialog
          {...inDialog}
          what={`${counted(count, "card")} of ${batch.name}`}
          selection={{ filter: { batch: [batch.id] }, except: [] }}
          onStart={run}
        />
      ) : null}
      <PutInBatchDialog
        {...inDialog}
        opened={dialog === "batch"}
        from={batch}
        onChosen={(batchId) => run({ type: "put_in_batch", batch_id: batchId })}
      />
      <ConfirmDialog
        opened={dialog === "archive"}
        title="Archive its cards"
        confirm={`Archive ${counted(count, "card")}`}
        isPending={start.isPending}
        error={start.error}
        onConfirm={() => run({ type: "set_status", workflow_status: "archived" })}
        onClose={close}
      >
        <Text>
          Archived cards leave the lists that one works in. A card with a listing that is live or
          publishing stays, and is named. The job can be undone; events already sent stay sent.
        </Text>
      </ConfirmDialog>
    </section>
  );
}
