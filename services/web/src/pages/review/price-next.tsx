import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { PriceRule } from "@cardvault/contract";
import { useMemo, useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { lazyPart } from "../../app/lazy-part.tsx";
import { trpcClient } from "../../app/trpc.ts";
import { LinkButton } from "../../parts/link-button.tsx";
import { useRequestKey } from "../../parts/request-key.ts";
import { handOver } from "../../parts/selection.ts";
import { counted } from "../../parts/words.ts";

const PriceRuleDialog = lazyPart(() =>
  import("../batch/price-rule-dialog.tsx").then((file) => file.PriceRuleDialog),
);

/** From the review to pricing: of the cards of this visit, else of the batch that was reviewed, else of all. */
export function PriceNext(props: { reviewed: ReadonlySet<string>; batchId: string | undefined }) {
  const { reviewed, batchId } = props;
  const [isPricing, setIsPricing] = useState(false);
  const navigate = useNavigate();
  const selection = useMemo(() => ({ ids: [...reviewed] }), [reviewed]);
  const words = counted(reviewed.size, "card");
  const key = useRequestKey();
  const start = useMutation({
    mutationFn(rule: PriceRule) {
      const request = { selection, action: { type: "price_rule" as const, rule } };
      return trpcClient.bulk.start.mutate({ ...request, idempotency_key: key.keyFor(request) });
    },
    onSuccess(job) {
      key.forget();
      followJob(job);
      setIsPricing(false);
    },
  });
  const identified = { workflow_status: ["identified" as const] };
  const others = (
    <LinkButton
      to="/inventory"
      search={batchId === undefined ? identified : { batch: [batchId], ...identified }}
      variant={reviewed.size === 0 ? "filled" : "default"}
    >
      {batchId === undefined ? "Price what is identified" : "Price what the batch has identified"}
    </LinkButton>
  );
  if (reviewed.size === 0) return others;
  return (
    <>
      <Button onClick={() => setIsPricing(true)}>{`Price ${words} by rule…`}</Button>
      <Button
        variant="default"
        onClick={() => {
          handOver({ selection, count: reviewed.size });
          void navigate({ to: "/inventory/bulk-edit" });
        }}
      >
        Type their prices
      </Button>
      {others}
      {isPricing ? (
        <PriceRuleDialog
          opened
          what={words}
          selection={selection}
          isPending={start.isPending}
          error={start.error}
          onStart={(rule) => start.mutate(rule)}
          onClose={() => {
            start.reset();
            setIsPricing(false);
          }}
        />
      ) : null}
    </>
  );
}
