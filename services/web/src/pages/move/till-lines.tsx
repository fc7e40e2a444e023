import type { Money } from "@cardvault/contract";
import { ActionIcon, Button, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconClockPause,
  IconCopy,
  IconTag,
  IconX,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import type { Tone } from "../../parts/chip.tsx";
import { formatMoney, digitsOf } from "../../parts/money.ts";
import { counted } from "../../parts/words.ts";
import { cardName } from "./scan-words.ts";
import { isOver, priceOf } from "./till.ts";
import type { LineState, Till, TillLine } from "./till.ts";

const maxCopies = 9_999;

const looks: Record<LineState, { tone: Tone; icon: Icon; words: string }> = {
  finding: { tone: "busy", icon: IconClockPause, words: "Looking it up" },
  unknown: { tone: "bad", icon: IconAlertTriangle, words: "Unknown" },
  choose: { tone: "warning", icon: IconCopy, words: "Several cards" },
  ready: { tone: "quiet", icon: IconTag, words: "To be sold" },
  recording: { tone: "busy", icon: IconClockPause, words: "Being recorded" },
  sold: { tone: "good", icon: IconCircleCheck, words: "Sold" },
  voiding: { tone: "busy", icon: IconClockPause, words: "Being taken back" },
  voided: { tone: "quiet", icon: IconArrowBackUp, words: "Taken back" },
  failed: { tone: "bad", icon: IconAlertTriangle, words: "Not sold" },
};

/** What was scanned, the latest first, each with its price until it is recorded. */
export function TillLines({ till, lines }: { till: Till; lines: readonly TillLine[] }) {
  const current = useQuery(trpc.accounts.current.queryOptions());
  const currency = current.data?.account.currency ?? "USD";
  return (
    <section className="panel" aria-label="Scanned to be sold">
      {lines.length === 0 ? (
        <p className="cell-sub" style={{ margin: 0, padding: "16px" }}>
          Scan what somebody buys. It comes to stand here with its asking price, which you can
          change before the sale is recorded.
        </p>
      ) : (
        <ul className="move-list">
          {lines.map((line) => (
            <Line key={line.id} till={till} line={line} currency={currency} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ till, line, currency }: { till: Till; line: TillLine; currency: string }) {
  const { words, ...look } = looks[line.state];
  const name = line.card === null ? line.text : cardName(line.card);
  const price = priceOf(line);
  const isWaiting =
    line.state === "finding" || line.state === "recording" || line.state === "voiding";
  return (
    <li>
      <Chip {...look}>{words}</Chip>
      <span className="move-what">
        {name}
        <span className="cell-sub">
          {line.message ?? (line.card === null ? "" : (line.card.location ?? "Without a place"))}
        </span>
        {line.state === "choose" ? (
          <span className="till-line">
            {line.candidates.map((card) => (
              <Button
                key={card.id}
                size="compact-sm"
                variant="default"
                onClick={() => till.choose(line.id, card)}
              >
                {cardName(card)} · {card.location ?? "no place"}
              </Button>
            ))}
          </span>
        ) : null}
      </span>
      {line.state === "ready" ? (
        <PriceFields till={till} line={line} currency={currency} name={name} />
      ) : price !== null && (isOver(line) || isWaiting) ? (
        <span>
          {line.quantity > 1 ? `${counted(line.quantity, "copy", "copies")} for ` : ""}
          {formatMoney(price)}
        </span>
      ) : null}
      {line.state === "sold" ? (
        <Button size="compact-sm" variant="default" onClick={() => till.voidSale(line.id)}>
          Take back
        </Button>
      ) : isWaiting ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${name} from the list`}
          onClick={() => till.remove(line.id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

/** Several copies cost so many times one, or what was agreed for them; what stands last is recorded. */
function PriceFields(props: { till: Till; line: TillLine; currency: string; name: string }) {
  const { till, line, currency, name } = props;
  const { id, quantity, each, together } = line;
  return (
    <span className="till-line">
      <NumberInput
        className="till-copies"
        size="xs"
        aria-label={`Copies of ${name}`}
        min={1}
        max={Math.max(1, Math.min(maxCopies, line.card?.quantity ?? 1))}
        allowDecimal={false}
        value={quantity}
        onChange={(value) => {
          const copies = Math.max(1, Number(value) || 1);
          if (copies !== quantity) till.set(id, { quantity: copies });
        }}
      />
      <Price
        label={quantity === 1 ? `Price of ${name}, ${currency}` : `Each ${name}, ${currency}`}
        placeholder={quantity === 1 ? "Price" : "Each"}
        currency={currency}
        value={together === null ? each : null}
        onChange={(price) => till.set(id, { each: price })}
      />
      {quantity === 1 ? null : (
        <>
          each =
          <Price
            label={`All ${quantity} of ${name} together, ${currency}`}
            placeholder="Together"
            currency={currency}
            value={priceOf(line)}
            // Emptied, it waits for another; so many times one comes back with a price of one.
            onChange={(price) => till.set(id, { together: price ?? { amount: 0, currency } })}
          />
        </>
      )}
    </span>
  );
}

function Price(props: {
  label: string;
  placeholder: string;
  currency: string;
  value: Money | null;
  onChange: (price: Money | null) => void;
}) {
  const { currency, value, onChange } = props;
  const digits = digitsOf(currency);
  return (
    <NumberInput
      className="till-price"
      size="xs"
      aria-label={props.label}
      placeholder={props.placeholder}
      hideControls
      min={0}
      decimalScale={digits}
      fixedDecimalScale
      suffix={` ${currency}`}
      value={value === null ? "" : value.amount / 10 ** digits}
      onChange={(typed) => {
        const amount = typed === "" ? 0 : Math.round(Number(typed) * 10 ** digits);
        // Leaving the field tells what stands in it too, which nobody has said.
        if (amount === (value?.amount ?? 0)) return;
        onChange(amount > 0 ? { amount, currency } : null);
      }}
    />
  );
}
