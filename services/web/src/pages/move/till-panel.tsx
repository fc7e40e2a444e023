import type { Money } from "@cardvault/contract";
import { Button, Kbd, TextInput } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { formatMoney } from "../../parts/money.ts";
import { usePageKeys } from "../../app/page-keys.ts";
import { useScanInput } from "../../parts/scan-input.ts";
import { counted } from "../../parts/words.ts";
import { OutboxNote } from "./outbox-note.tsx";
import { ScanField, useScanField } from "./scan-field.tsx";
import { TillLines } from "./till-lines.tsx";
import { isOver, priceOf } from "./till.ts";
import type { Till, TillLine } from "./till.ts";
import { useTillSounds } from "./till-sounds.ts";

const placeKey = "vault.sold-at";
const maxPlaceLength = 120;
const tillKeys = [{ keys: ["Z"], words: "Take the last sale back" }] as const;

/** Scan what somebody buys, say the price, record it. */
export function TillPanel({ till }: { till: Till }) {
  const state = useSyncExternalStore(till.subscribe, till.state);
  const field = useScanField();
  const [place, setPlace] = usePlace();
  const undo = () => void till.undo();
  const ready = state.lines.filter(canRecord);
  const where = place.trim();
  useTillSounds(state.lines);
  usePageKeys(tillKeys);
  useScanInput({ onScan: till.scan, onUnfinished: field.onChange, keys: { z: undo } });
  return (
    <div className="move">
      <TextInput
        label="Sold at"
        description="Stays until you change it"
        placeholder="Harbour card show"
        required
        maxLength={maxPlaceLength}
        value={place}
        error={where === "" && ready.length > 0 ? "Say where they are sold" : null}
        onChange={(event) => setPlace(event.currentTarget.value)}
      />
      <ScanField label="SKU, card id or certificate" {...field} onScan={till.scan} />
      <OutboxNote
        link={state.link}
        isKept={state.isKept}
        waiting={state.waiting}
        one="entry"
        onRetry={till.resume}
      />
      <div className="move-bar">
        <Button disabled={ready.length === 0 || where === ""} onClick={() => till.record(where)}>
          {ready.length === 0
            ? "Record sale"
            : `Record ${counted(ready.length, "sale")}${totalOf(ready)}`}
        </Button>
        <Button variant="default" onClick={undo} rightSection={<Kbd size="xs">Z</Kbd>}>
          Undo last sale
        </Button>
        <Button variant="subtle" disabled={!state.lines.some(isOver)} onClick={till.clear}>
          Clear what is sold
        </Button>
      </div>
      <TillLines till={till} lines={state.lines} />
    </div>
  );
}

function canRecord(line: TillLine): boolean {
  return line.state === "ready" && priceOf(line) !== null;
}

/** Every price of an account is in its one currency. */
function totalOf(lines: readonly TillLine[]): string {
  const prices = lines.map(priceOf).filter((price): price is Money => price !== null);
  const [first] = prices;
  if (first === undefined) return "";
  const amount = prices.reduce((sum, price) => sum + price.amount, 0);
  return `, ${formatMoney({ ...first, amount })}`;
}

function usePlace(): [string, (place: string) => void] {
  const [place, setPlace] = useState(() => {
    try {
      return localStorage.getItem(placeKey) ?? "";
    } catch {
      return "";
    }
  });
  return [
    place,
    (next) => {
      setPlace(next);
      try {
        localStorage.setItem(placeKey, next);
      } catch {
        // It is typed again after a reload.
      }
    },
  ];
}
