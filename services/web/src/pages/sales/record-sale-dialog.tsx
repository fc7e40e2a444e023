import { Button, Group, Modal, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { readAmount } from "../../parts/card-fields-money.ts";
import { formatMoney } from "../../parts/money.ts";
import { newUuid } from "../../parts/new-uuid.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { momentOfField } from "../../parts/time-filter.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { FindCard } from "./find-card.tsx";
import type { FoundCard } from "./find-card.tsx";
import { refreshSales } from "./refresh-sales.ts";

/** A show, another shop, a friend: what was sold without eBay. */
export function RecordSaleDialog(props: {
  opened: boolean;
  currency: string;
  onClose: () => void;
}) {
  const { opened, currency, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title="Record a sale made elsewhere">
      {opened ? <RecordForm currency={currency} onClose={onClose} /> : null}
    </Modal>
  );
}

function RecordForm({ currency, onClose }: { currency: string; onClose: () => void }) {
  const [card, setCard] = useState<FoundCard | null>(null);
  const [price, setPrice] = useState("");
  const [fee, setFee] = useState("");
  const [place, setPlace] = useState("");
  const [note, setNote] = useState("");
  const [quantity, setQuantity] = useState<number | string>(1);
  const [soldAt, setSoldAt] = useState("");
  // One sale, however often an answer is lost and the form is sent again.
  const [requestId] = useState(() => newUuid());
  const record = useMutation(
    trpc.cards.recordSale.mutationOptions({
      onSuccess: async (sale) => {
        onClose();
        offerUndo({
          message: `${card?.title ?? "The card"} is sold for ${formatMoney(sale.price)}.`,
          hasSentEvents: true,
          undo: async () => {
            await trpcClient.cards.voidSale.mutate({ id: sale.id });
            await refreshSales();
            return "The sale is void, and its copies are back.";
          },
        });
        await refreshSales();
      },
    }),
  );
  const paid = readAmount(price, currency, 1);
  const taken = fee.trim() === "" ? undefined : readAmount(fee, currency, 0);
  const value = paid.problem === undefined ? paid.value : null;
  const isReady =
    card !== null &&
    value !== null &&
    taken?.problem === undefined &&
    place.trim() !== "" &&
    typeof quantity === "number";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        record.mutate({
          id: card.id,
          price: value,
          fee: taken?.value ?? null,
          place: place.trim(),
          note: note.trim() === "" ? null : note.trim(),
          quantity,
          request_id: requestId,
          ...(soldAt === "" ? {} : { sold_at: momentOfField(soldAt) }),
        });
      }}
    >
      <Stack gap="md">
        <FindCard chosen={card} onChoose={setCard} />
        <Group grow align="flex-start">
          <TextInput
            label={`Sold for, all copies, in ${currency}`}
            inputMode="decimal"
            value={price}
            error={price === "" ? undefined : paid.problem}
            onChange={(event) => setPrice(event.currentTarget.value)}
          />
          <NumberInput
            label="Copies"
            min={1}
            max={card?.quantity ?? 9_999}
            allowDecimal={false}
            value={quantity}
            onChange={setQuantity}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label="Where"
            placeholder="Harbour card show"
            maxLength={120}
            value={place}
            onChange={(event) => setPlace(event.currentTarget.value)}
          />
          <TextInput
            label={`Fees, in ${currency}`}
            placeholder="None"
            inputMode="decimal"
            value={fee}
            error={taken?.problem}
            onChange={(event) => setFee(event.currentTarget.value)}
          />
        </Group>
        <TextInput
          label="When"
          type="datetime-local"
          description="Now, unless told."
          value={soldAt}
          onChange={(event) => setSoldAt(event.currentTarget.value)}
        />
        <Textarea
          label="Note"
          autosize
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ProblemNote error={record.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady} loading={record.isPending}>
            Record
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
