import type { LedgerSale } from "@cardvault/contract";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { formatMoney } from "../../parts/money.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { FindCard } from "./find-card.tsx";
import type { FoundCard } from "./find-card.tsx";
import { refreshSales } from "./refresh-sales.ts";

/** Says which card an order has sold. */
export function AssignDialog({ sale, onClose }: { sale: LedgerSale | null; onClose: () => void }) {
  return (
    <Modal opened={sale !== null} onClose={onClose} title="Which card was sold?">
      {sale === null ? null : <AssignForm key={sale.id} sale={sale} onClose={onClose} />}
    </Modal>
  );
}

function AssignForm({ sale, onClose }: { sale: LedgerSale; onClose: () => void }) {
  const [card, setCard] = useState<FoundCard | null>(null);
  const assign = useMutation(
    trpc.sales.assign.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshSales();
      },
    }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (card !== null) assign.mutate({ id: sale.id, card_id: card.id });
      }}
    >
      <Stack gap="md">
        <Text>
          {sale.title}, {formatMoney(sale.price)}, order {sale.order_id}.
        </Text>
        <FindCard chosen={card} onChoose={setCard} />
        <Text size="sm" c="dimmed">
          Its copies are taken off the card and its listing, as if the order had named them.
        </Text>
        <ProblemNote error={assign.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={card === null} loading={assign.isPending}>
            This card
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
