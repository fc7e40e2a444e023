import type { CardSelection, PriceRounding, PriceRule } from "@cardvault/contract";
import {
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { readAmount } from "../../parts/card-fields-money.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { useCurrency } from "../batches/batch-form.tsx";
import { PricePreview, usePricePreview } from "./price-preview.tsx";

const waitMs = 250;
const roundingWords: Record<PriceRounding, string> = {
  end_99: "To .99",
  end_49_or_99: "To .49 or .99",
  end_49: "To .49",
  whole: "To whole units",
  none: "Not rounded",
};
const floorWords = { card: "Each card's own floor", none: "No floor" } as const;

interface Handlers {
  isPending: boolean;
  error: unknown;
  onStart: (rule: PriceRule) => void;
  onClose: () => void;
}

/** Asking prices from market prices, with before and after. */
export function PriceRuleDialog(
  props: Handlers & { opened: boolean; what: string; selection: CardSelection },
) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size="xl"
      title={`Price ${props.what} by rule`}
    >
      <PriceRuleForm {...props} />
    </Modal>
  );
}

/** The rule itself, for a dialog that has other ways too. */
export function PriceRuleForm(props: Handlers & { selection: CardSelection }) {
  const currency = useCurrency();
  const [percent, setPercent] = useState<number | string>(100);
  const [rounding, setRounding] = useState<PriceRounding>("end_99");
  const [floor, setFloor] = useState<keyof typeof floorWords>("card");
  const [minimum, setMinimum] = useState("");
  const least = minimum.trim() === "" ? null : readAmount(minimum, currency, 1);
  const rule: PriceRule | null =
    typeof percent !== "number" || percent < 1 || percent > 1_000 || least?.problem !== undefined
      ? null
      : {
          percent,
          rounding,
          floor: floor === "card" ? "price_floor" : null,
          minimum: least === null ? null : least.value,
        };
  const [shown] = useDebouncedValue(rule, waitMs);
  const preview = usePricePreview(props.selection, shown);
  // What was previewed is the first cards alone where there are very many: then others may change.
  const isIdle =
    !preview.isPlaceholderData &&
    preview.data?.is_complete === true &&
    preview.data.totals.changed === 0;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="sm">
        <NumberInput
          label="Of the market price"
          suffix=" %"
          min={1}
          max={1_000}
          decimalScale={2}
          data-autofocus
          value={percent}
          onChange={setPercent}
        />
        <Select
          label="Rounded"
          allowDeselect={false}
          data={Object.entries(roundingWords).map(([value, label]) => ({ value, label }))}
          value={rounding}
          onChange={(value) => setRounding((value ?? "none") as PriceRounding)}
        />
        <Select
          label="Never below"
          allowDeselect={false}
          data={Object.entries(floorWords).map(([value, label]) => ({ value, label }))}
          value={floor}
          onChange={(value) => setFloor(value === "none" ? "none" : "card")}
        />
        <TextInput
          label={`At least (${currency})`}
          inputMode="decimal"
          placeholder="0.99"
          value={minimum}
          error={least?.problem}
          onChange={(event) => setMinimum(event.currentTarget.value)}
        />
      </SimpleGrid>
      <PricePreview preview={preview} />
      <ProblemNote error={props.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button
          disabled={rule === null || isIdle}
          loading={props.isPending}
          onClick={() => {
            if (rule !== null) props.onStart(rule);
          }}
        >
          Set the prices
        </Button>
      </Group>
    </Stack>
  );
}
