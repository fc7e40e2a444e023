import type { MarketplaceConnection } from "@cardvault/contract";
import { Button, NativeSelect, Skeleton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { LocationDialog } from "./location-dialog.tsx";

const fields = [
  ["payment_policy_id", "Payment policy", "payment_policies"],
  ["return_policy_id", "Return policy", "return_policies"],
  ["fulfillment_policy_id", "Shipping policy", "fulfillment_policies"],
] as const;

/** What listings are made with: the policies and the place that the seller has at the marketplace. */
export function MarketplaceSetup({ connection }: { connection: MarketplaceConnection }) {
  const setup = useQuery(trpc.marketplace.setup.queryOptions());
  const [choices, setChoices] = useState(connection.choices);
  const [isPlacing, setIsPlacing] = useState(false);
  const keep = (after: MarketplaceConnection): void => {
    queryClient.setQueryData(trpc.marketplace.connection.queryKey(), after);
    setChoices(after.choices);
  };
  const save = useMutation(
    trpc.marketplace.saveSetup.mutationOptions({
      onSuccess(after) {
        keep(after);
        notifications.show({
          message:
            after.missing.length === 0
              ? "Cards can be published now."
              : "Saved. Something is still missing before cards can be published.",
        });
      },
    }),
  );
  if (setup.isPending) return <Skeleton height={64} mt="md" aria-busy="true" />;
  if (setup.isError) {
    return (
      <ProblemPanel
        error={setup.error}
        what="Your policies at eBay"
        onRetry={() => void setup.refetch()}
      />
    );
  }
  const isChanged = JSON.stringify(choices) !== JSON.stringify(connection.choices);
  return (
    <form
      style={{ marginTop: 16 }}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(choices);
      }}
    >
      <div className="form-row">
        {fields.map(([name, label, list]) => (
          <NativeSelect
            key={name}
            label={label}
            w={220}
            data={[
              { value: "", label: "Choose…" },
              ...setup.data[list].map((one) => ({ value: one.id, label: one.name })),
            ]}
            value={choices[name] ?? ""}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setChoices((before) => ({ ...before, [name]: value === "" ? null : value }));
            }}
          />
        ))}
        <NativeSelect
          label="Ships from"
          w={220}
          data={[
            { value: "", label: "Choose…" },
            ...setup.data.locations.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          value={choices.location_key ?? ""}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setChoices((before) => ({ ...before, location_key: value === "" ? null : value }));
          }}
        />
        <Button variant="default" onClick={() => setIsPlacing(true)}>
          Add place…
        </Button>
        <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
          Save choices
        </Button>
      </div>
      {connection.missing.length === 0 ? null : (
        <p className="cell-sub">
          Before a card can be published, choose{" "}
          {connection.missing.map((one) => one.replaceAll("_", " ")).join(", ")}.
        </p>
      )}
      <ProblemNote error={save.error} />
      <LocationDialog
        opened={isPlacing}
        onClose={() => setIsPlacing(false)}
        onMade={(after) => {
          keep(after);
          void queryClient.invalidateQueries(trpc.marketplace.setup.queryFilter());
        }}
      />
    </form>
  );
}
