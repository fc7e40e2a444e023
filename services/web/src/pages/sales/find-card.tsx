import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
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
  const [at, setAt] = useState(0);
  const [asked] = useDebouncedValue(typed.trim(), restMs);
  const id = useId();
  const bySku = useQuery(
    trpc.cards.list.queryOptions({ sku: [asked], limit: 2 }, { enabled: asked !== "" }),
  );
  const byWords = useQuery(
    trpc.cards.list.queryOptions({ q: asked, limit: 6 }, { enabled: asked !== "" }),
  );
  const exact = bySku.data?.data ?? [];
  const others = (byWords.data?.data ?? []).filter(
    (card) => !exact.some((one) => one.id === card.id),
  );
  const found: FoundCard[] = asked === "" ? [] : [...exact, ...others];
  const isNone = asked !== "" && !bySku.isPending && !byWords.isPending && found.length === 0;
  return (
    <div>
      <TextInput
        label="Card"
        placeholder="SKU, or words of its title"
        value={chosen === null ? typed : (chosen.title ?? chosen.sku ?? chosen.id)}
        data-autofocus
        role="combobox"
        aria-expanded={chosen === null && found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === null && found.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        description={
          chosen === null
            ? isNone
              ? "No card has this SKU or these words."
              : undefined
            : `${chosen.sku ?? "No SKU"} · ${chosen.quantity.toLocaleString()} in stock`
        }
        onChange={(event) => {
          if (chosen !== null) onChoose(null);
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (chosen !== null || found.length === 0) return;
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") onChoose(found[at] ?? null);
          else return;
          event.preventDefault();
        }}
      />
      <ul
        className="find-card"
        role="listbox"
        id={`${id}-list`}
        aria-label="Cards"
        hidden={chosen !== null || found.length === 0}
      >
        {found.map((card, index) => (
          <li
            key={card.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(card);
            }}
          >
            <CardPicture card={card} size="row" />
            <span>
              {card.title ?? "Card that is not identified"}
              <span className="cell-sub">
                <span className="mono">{card.sku}</span>
                {card.asking_price === null ? "" : ` · ${formatMoney(card.asking_price)}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
