import type { CardSelection } from "@cardvault/contract";
import { Modal, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { readAmount } from "../../../parts/card-fields-money.ts";
import { PriceRuleForm } from "../../batch/price-rule-dialog.tsx";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

/** Asking prices: by the market price, with before and after; or one for all. */
export function PriceDialog(props: TaskProps & { selection: CardSelection; currency: string }) {
  const [way, setWay] = useState<"rule" | "one">("rule");
  return (
    <Modal opened onClose={props.onClose} size="xl" title={`Price ${props.what}`}>
      <Stack gap="md">
        <SegmentedControl
          aria-label="How they are priced"
          size="sm"
          data={[
            { value: "rule", label: "By the market price" },
            { value: "one", label: "One price for all" },
          ]}
          value={way}
          onChange={(value) => setWay(value === "one" ? "one" : "rule")}
        />
        {way === "rule" ? (
          <PriceRuleForm
            selection={props.selection}
            isPending={props.isPending}
            error={props.error}
            onStart={(rule) => props.onStart({ type: "price_rule", rule })}
            onClose={props.onClose}
          />
        ) : (
          <OnePrice {...props} />
        )}
      </Stack>
    </Modal>
  );
}

function OnePrice(props: TaskProps & { currency: string }) {
  const { currency } = props;
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === "") {
          props.onStart({ type: "set_price", price: null });
          return;
        }
        const read = readAmount(typed, currency, 1);
        if (read.problem === undefined) props.onStart({ type: "set_price", price: read.value });
        else setProblem(read.problem);
      }}
    >
      <Stack gap="md">
        <TextInput
          label={`Asking price (${currency})`}
          description="Of one copy. Left empty, the prices are taken away."
          inputMode="decimal"
          data-autofocus
          value={typed}
          error={problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <TaskFoot
          confirm={typed.trim() === "" ? "Take the prices away" : "Set the prices"}
          isPending={props.isPending}
          error={props.error}
          onClose={props.onClose}
        />
      </Stack>
    </form>
  );
}
