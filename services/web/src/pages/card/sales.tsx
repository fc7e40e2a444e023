import type { Card, HandSale } from "@cardvault/contract";
import { Button, Group, Modal, NumberInput, Skeleton, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SyntheticEvent } from "react";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import { formatMoney } from "../../parts/money.ts";
import { newUuid } from "../../parts/new-uuid.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { VoidSaleDialog } from "../../parts/void-sale.tsx";
import { counted } from "../../parts/words.ts";
import { fieldMoment, momentOfField } from "../../parts/time-filter.tsx";

async function refreshCard(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id })),
    queryClient.invalidateQueries(trpc.cards.sales.queryFilter({ id })),
    queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() }),
  ]);
}

/** Sales that were made elsewhere and are written down here: a show, a shop's counter. */
export function HandSales({ card, currency }: { card: Card; currency: string }) {
  const sales = useQuery(trpc.cards.sales.queryOptions({ id: card.id }));
  const [isRecording, setIsRecording] = useState(false);
  const [voided, setVoided] = useState<HandSale | null>(null);
  const rows = sales.data?.data ?? [];
  return (
    <section aria-labelledby="sales">
      <SectionHead id="sales" title="Sales by hand">
        <Button size="xs" variant="default" onClick={() => setIsRecording(true)}>
          Record a sale
        </Button>
      </SectionHead>
      <div className="panel">
        {sales.isPending ? (
          <div className="fact-panel" aria-busy="true">
            <Skeleton height={20} />
          </div>
        ) : sales.data === undefined ? (
          <ProblemPanel
            error={sales.error}
            what="Sales by hand"
            onRetry={() => void sales.refetch()}
          />
        ) : rows.length === 0 ? (
          <p className="fact-panel cell-sub">None. Sales on the marketplace come by themselves.</p>
        ) : (
          <ul className="card-list">
            {rows.map((sale) => (
              <li key={sale.id} data-ended={sale.voided_at === null ? undefined : true}>
                <span>
                  {formatMoney(sale.price)} for {counted(sale.quantity, "copy", "copies")},{" "}
                  {sale.place}
                  <span className="cell-sub">
                    <RelativeTime at={sale.sold_at} />
                    {sale.note === null ? null : ` · ${sale.note}`}
                    {sale.voided_at === null ? null : " · void"}
                  </span>
                </span>
                {sale.voided_at === null ? (
                  <Button size="compact-xs" variant="default" onClick={() => setVoided(sale)}>
                    Void
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </div>
      <RecordSale
        key={String(isRecording)}
        card={card}
        currency={currency}
        isOpen={isRecording}
        onClose={() => setIsRecording(false)}
      />
      <VoidSaleDialog
        sale={voided}
        onVoided={() => refreshCard(card.id)}
        onClose={() => setVoided(null)}
      />
    </section>
  );
}

function RecordSale(props: { card: Card; currency: string; isOpen: boolean; onClose: () => void }) {
  const { card, currency, onClose } = props;
  // The same sale, sent again after no answer came, is recorded once.
  const [requestId] = useState(() => newUuid());
  const [quantity, setQuantity] = useState<number | string>(1);
  const [typed, setTyped] = useState<string | null>(null);
  // What is asked for one, so many times, until somebody says another price.
  const asked = card.asking_price;
  const askedText =
    asked === null ? "" : amountText({ ...asked, amount: asked.amount * (Number(quantity) || 1) });
  const price = typed ?? askedText;
  const [place, setPlace] = useState("");
  const [note, setNote] = useState("");
  const [soldAt, setSoldAt] = useState(() => fieldMoment(new Date().toISOString()));
  const [problem, setProblem] = useState<string | null>(null);
  const record = useMutation(
    trpc.cards.recordSale.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshCard(card.id);
      },
    }),
  );
  const errors = fieldErrorsOf(record.error);

  function save(event: SyntheticEvent): void {
    event.preventDefault();
    const read = readAmount(price, currency, 1);
    setProblem(read.problem ?? null);
    if (read.problem !== undefined) return;
    const moment = momentOfField(soldAt);
    record.mutate({
      id: card.id,
      quantity: Number(quantity),
      price: read.value,
      place: place.trim(),
      note: note.trim() === "" ? null : note.trim(),
      ...(moment === undefined ? {} : { sold_at: moment }),
      request_id: requestId,
    });
  }
  return (
    <Modal opened={props.isOpen} onClose={onClose} title="Record a sale made elsewhere">
      <form onSubmit={save}>
        <Stack gap="sm">
          <Group grow align="flex-start">
            <NumberInput
              label="Copies"
              min={1}
              max={9_999}
              allowDecimal={false}
              value={quantity}
              error={errors["quantity"]}
              onChange={setQuantity}
            />
            <TextInput
              label={`For all together (${currency})`}
              inputMode="decimal"
              data-autofocus
              required
              value={price}
              error={problem ?? errors["price"]}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </Group>
          <TextInput
            label="Where"
            placeholder="Harbour card show"
            required
            maxLength={120}
            value={place}
            error={errors["place"]}
            onChange={(event) => setPlace(event.currentTarget.value)}
          />
          <TextInput
            label="When"
            type="datetime-local"
            value={soldAt}
            error={errors["sold_at"]}
            onChange={(event) => setSoldAt(event.currentTarget.value)}
          />
          <TextInput
            label="Note"
            maxLength={500}
            value={note}
            error={errors["note"]}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {Number(quantity) > card.quantity ? (
            <output className="cell-sub">
              There {card.quantity === 1 ? "is" : "are"} {card.quantity}: the card goes to review as
              oversold.
            </output>
          ) : null}
          <ProblemNote error={record.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={record.isPending}>
              Record the sale
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
