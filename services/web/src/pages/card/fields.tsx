import type { Card, CardChange, IdentificationRecord } from "@cardvault/contract";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import { trpc } from "../../app/trpc.ts";
import { identityFields } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { FieldCell } from "./field-cell.tsx";
import { changeBy, originsOf, readBy } from "./origin.ts";

const suggestWaitMs = 150;
const shownSuggestions = 8;

const stockFields = [
  "condition",
  "grading",
  "quantity",
  "location",
  "sku",
  "tags",
] as const satisfies readonly CardFieldName[];
const priceFields = [
  "asking_price",
  "price_floor",
  "purchase_price",
] as const satisfies readonly CardFieldName[];

interface FieldsProps {
  card: Card;
  currency: string;
  changes: readonly CardChange[];
  record: IdentificationRecord | undefined;
}

/** What the card is: each field edited in place, with where its value is from. */
export function IdentityFields(props: FieldsProps) {
  return (
    <section aria-labelledby="what-it-is">
      <SectionHead id="what-it-is" title="What it is" />
      <div className="panel fields">
        <Cells names={identityFields} {...props} />
      </div>
    </section>
  );
}

/** What state it is in, where it lies, and how it is called here. */
export function StockFields(props: FieldsProps) {
  return (
    <section aria-labelledby="stock">
      <SectionHead id="stock" title="Condition and place" />
      <div className="panel fields">
        <Cells names={stockFields} {...props} />
        <Cells names={["notes"]} isWide {...props} />
      </div>
    </section>
  );
}

export function PriceFields(props: FieldsProps) {
  return (
    <div className="fields">
      <Cells names={priceFields} {...props} />
    </div>
  );
}

function Cells({
  names,
  isWide = false,
  ...props
}: FieldsProps & { names: readonly CardFieldName[]; isWide?: boolean }) {
  const origins = originsOf(props.changes);
  const { card, currency, record } = props;
  return names.map((name) => {
    const common = {
      card,
      currency,
      isWide: isWide || name === "title",
      origin: <Origin change={origins.get(name)} read={readBy(name, card[name], record)} />,
    };
    return name === "location" ? (
      <LocationCell key={name} {...common} />
    ) : (
      <FieldCell key={name} name={name} {...common} />
    );
  });
}

function Origin({ change, read }: { change: CardChange | undefined; read: string | null }) {
  if (change === undefined) return read;
  return (
    <>
      {change.via === "provider" && read !== null ? read : changeBy(change)},{" "}
      <RelativeTime at={change.at} />
    </>
  );
}

/** While a place is typed, those that there are. */
function LocationCell(props: { card: Card; currency: string; origin: ReactNode; isWide: boolean }) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, suggestWaitMs);
  const found = useQuery(
    trpc.locations.suggest.queryOptions(
      { text: asked, limit: shownSuggestions },
      { enabled: asked !== "" },
    ),
  );
  const paths = (found.data?.data ?? []).map(({ path }) => path);
  return <FieldCell {...props} name="location" suggestions={paths} onTyped={setTyped} />;
}
