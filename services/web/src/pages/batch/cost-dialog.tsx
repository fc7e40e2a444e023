import type { Batch, CostPreview, CostWeight } from "@cardvault/contract";
import {
  Box,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Switch,
  Text,
} from "@mantine/core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { formatAmount, formatMoney } from "../../parts/money.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";

const shownRows = 50;

const weightWords: Record<CostWeight, string> = {
  even: "Evenly",
  asking_price: "By asking price",
  market_price: "By market price",
};

/** What each card would cost if the batch's cost were spread over them, and doing so. */
export function CostDialog(props: {
  batch: Batch;
  opened: boolean;
  onClose: () => void;
  onEdit: () => void;
}) {
  const { batch, opened, onClose, onEdit } = props;
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={`Spread the cost of ${batch.name}`}>
      {batch.cost_basis === null ? (
        <EmptyState
          title="What did the batch cost?"
          action={<Button onClick={onEdit}>Say what it cost</Button>}
        >
          Once the batch has a cost, it can be spread over its cards, and each sale shows its
          profit.
        </EmptyState>
      ) : (
        <Spread batch={batch} onClose={onClose} />
      )}
    </Modal>
  );
}

function Spread({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const [by, setBy] = useState<CostWeight>("even");
  const [isForNew, setIsForNew] = useState(false);
  const wanted = { id: batch.id, by, only_without_cost: isForNew };
  const preview = useQuery(
    trpc.batches.previewCost.queryOptions(
      { ...wanted, rows: shownRows },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const spread = useMutation({
    mutationFn: () => trpcClient.batches.spreadCost.mutate(wanted),
    onSuccess(job) {
      followJob(job);
      onClose();
    },
  });
  const isRefused = preview.data === undefined || preview.data.excess.amount > 0;
  const count = preview.data?.spread_cards ?? 0;
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="How it is spread"
        data={Object.entries(weightWords).map(([value, label]) => ({ value, label }))}
        value={by}
        onChange={(value) => setBy(value as CostWeight)}
      />
      <Switch
        size="xs"
        label="Only over cards without a cost, added later"
        checked={isForNew}
        onChange={(event) => setIsForNew(event.currentTarget.checked)}
      />
      {preview.isPending ? (
        <Skeleton height={240} aria-busy="true" />
      ) : preview.data === undefined ? (
        <ProblemPanel
          error={preview.error}
          what="The preview"
          onRetry={() => void preview.refetch()}
        />
      ) : (
        <Preview preview={preview.data} />
      )}
      <ProblemNote error={spread.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={isRefused || count === 0 || preview.isPlaceholderData}
          loading={spread.isPending}
          onClick={() => spread.mutate()}
        >
          {`Spread over ${counted(count, "card")}`}
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ preview }: { preview: CostPreview }) {
  const { cost_basis: whole, kept, spread, unspread, excess } = preview;
  return (
    <>
      <Text>
        Of {formatMoney(whole)}, {formatMoney(spread)} is spread over{" "}
        {counted(preview.spread_cards, "card")}.
        {preview.kept_cards > 0
          ? ` ${counted(preview.kept_cards, "card")} ${preview.kept_cards === 1 ? "keeps its" : "keep their"} own cost, ${formatMoney(kept)} together.`
          : ""}
        {unspread.amount > 0
          ? ` ${formatMoney(unspread)} is less than a unit for each copy and stays.`
          : ""}
        {preview.averaged_cards > 0
          ? ` ${counted(preview.averaged_cards, "card")} without that price ${preview.averaged_cards === 1 ? "takes" : "take"} part with the mean of the others.`
          : ""}
      </Text>
      {excess.amount > 0 ? (
        <Text role="alert" c="var(--mantine-color-red-text)">
          The costs that stay are {formatMoney(excess)} more than the batch cost. Correct the
          batch's cost or those of its cards.
        </Text>
      ) : null}
      {preview.rows.length === 0 ? null : <PreviewTable preview={preview} />}
    </>
  );
}

function PreviewTable({ preview }: { preview: CostPreview }) {
  return (
    <Box
      component="section"
      className="table-scroll batch-preview"
      tabIndex={0}
      aria-label="Each card"
    >
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col" className="number">
              Now ({preview.cost_basis.currency})
            </th>
            <th scope="col" className="number">
              Then ({preview.cost_basis.currency})
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <tr key={row.card_id}>
              <td className="fill">
                <span className="clip">{row.title ?? "Not identified"}</span>
                {row.sku === null ? null : <span className="cell-sub mono">{row.sku}</span>}
              </td>
              <td className="narrow number">{row.copies.toLocaleString()}</td>
              <td className="narrow number">
                {row.before === null ? "–" : formatAmount(row.before)}
              </td>
              <td className="narrow number">{formatAmount(row.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
