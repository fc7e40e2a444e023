import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { formatMoney } from "../../parts/money.ts";

/** What is shown of a card that is chosen for a sale. */
export interface FoundCard {
  id: string;
  title: string | null;
  sku: string | null;
  quantity: number;
  asking_price: { amount: number; currency: string } | null;
  photos: readonly { side: "front" | "back" | "listing"; url: string; thumbnail_url: string }[];
}

const restMs = 200;

/** Finds one card by its SKU or by words of it. Arrow keys and Enter choose. */
export function FindCard(props: {
  chosen: FoundCard | null;
  onChoose: (card: FoundCard | null) => void;
}) {
  const { chosen, onChoose } = props;
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), restMs);
  const enabled = asked !== "" && chosen === null;
  const bySku = useQuery(trpc.cards.list.queryOptions({ sku: [asked], limit: 2 }, { enabled }));
  const byWords = useQuery(trpc.cards.list.queryOptions({ q: asked, limit: 6 }, { enabled }));
  const all: FoundCard[] = [
    ...(chosen === null ? [] : [chosen]),
    ...(enabled ? [...(bySku.data?.data ?? []), ...(byWords.data?.data ?? [])] : []),
  ];
  const found = new Map(all.map((card) => [card.id, card]));
  const isAsking = typed.trim() !== asked || bySku.isPending || byWords.isPending;
  return (
    <Select
      label="Card"
      placeholder="SKU, or words of its title"
      searchable
      selectFirstOptionOnChange
      data-autofocus
      value={chosen?.id ?? null}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text);
        if (chosen !== null && text !== nameOf(chosen)) onChoose(null);
      }}
      data={[...found.values()].map((card) => ({ value: card.id, label: nameOf(card) }))}
      // What was found is what was asked for.
      filter={({ options }) => options}
      nothingFoundMessage={
        typed.trim() === "" || isAsking ? undefined : "No card has this SKU or these words."
      }
      description={
        chosen === null
          ? undefined
          : `${chosen.sku ?? "No SKU"} · ${chosen.quantity.toLocaleString()} in stock`
      }
      renderOption={({ option }) => <Option card={found.get(option.value)} />}
      onKeyDown={(event) => {
        // What was found came after the typing: Enter takes the first, where no other is chosen by arrow.
        const isOpen = event.currentTarget.getAttribute("aria-activedescendant") === null;
        const [first] = found.values();
        if (event.key !== "Enter" || chosen !== null || !isOpen || first === undefined) return;
        event.preventDefault();
        onChoose(first);
      }}
      onChange={(id) => onChoose(found.get(id ?? "") ?? null)}
    />
  );
}

function nameOf({ title, sku, id }: FoundCard): string {
  return title ?? sku ?? id;
}

function Option({ card }: { card: FoundCard | undefined }) {
  if (card === undefined) return null;
  return (
    <span className="find-card">
      <CardPicture card={card} size="row" />
      <span>
        {nameOf(card)}
        <span className="cell-sub">
          <span className="mono">{card.sku}</span>
          {card.asking_price === null ? "" : ` · ${formatMoney(card.asking_price)}`}
        </span>
      </span>
    </span>
  );
}
