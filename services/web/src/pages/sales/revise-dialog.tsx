import type { RevisionPart, SalesListing } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { amountText, readAmount } from "../../parts/card-fields-money.ts";
import { formatMoney } from "../../parts/money.ts";
import { counted } from "../../parts/words.ts";
import { attempt, startListingJob } from "./refresh-sales.ts";

const freshWords: readonly [RevisionPart, string][] = [
  ["price", "The card's asking price"],
  ["title", "Title, by the templates"],
  ["description", "Description, by the templates"],
  ["photos", "Photos"],
  ["condition", "Condition or grading"],
  ["quantity", "Number of copies"],
];

/** Gives live listings something else: one its own price, one or many what their cards have now. */
export function ReviseDialog(props: {
  opened: boolean;
  rows: readonly SalesListing[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { opened, rows, onClose, onDone } = props;
  const [only] = rows.length === 1 ? rows : [];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={only === undefined ? `Revise ${counted(rows.length, "listing")}` : "Revise listing"}
    >
      {opened ? <ReviseForm key={only?.listing.id} {...{ rows, onClose, onDone }} /> : null}
    </Modal>
  );
}

function ReviseForm(props: {
  rows: readonly SalesListing[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { rows, onClose, onDone } = props;
  const [only] = rows.length === 1 ? rows : [];
  const [typed, setTyped] = useState(only === undefined ? "" : amountText(only.listing.price));
  const [refresh, setRefresh] = useState<readonly RevisionPart[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const currency = rows[0]?.listing.price.currency ?? "USD";
  const isOther = only !== undefined && typed.trim() !== amountText(only.listing.price);
  const amount = isOther ? readAmount(typed, currency, 1) : undefined;
  const price = amount !== undefined && amount.problem === undefined ? amount.value : undefined;
  const isReady = amount?.problem === undefined && (price !== undefined || refresh.length > 0);
  async function send(): Promise<void> {
    setIsBusy(true);
    const parts = refresh.filter((part) => part !== "price" || price === undefined);
    const isDone = await attempt("It was not revised", () =>
      only === undefined
        ? startListingJob(rows, { type: "revise_listings", refresh: parts })
        : trpcClient.listings.revise.mutate({
            id: only.listing.id,
            refresh: parts,
            ...(price === undefined ? {} : { price }),
          }),
    );
    setIsBusy(false);
    if (!isDone) return;
    if (only !== undefined)
      notifications.show({ message: "The listing is being revised at eBay." });
    onDone();
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void send();
      }}
    >
      <Stack gap="md">
        {only === undefined ? null : (
          <TextInput
            label={`Price of the listing, in ${currency}`}
            description={
              only.card.asking_price === null
                ? "The card has no asking price."
                : `The card's asking price is ${formatMoney(only.card.asking_price)}.`
            }
            value={typed}
            error={amount?.problem}
            inputMode="decimal"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Checkbox.Group
          label="Taken anew from the card"
          value={[...refresh]}
          onChange={(values) =>
            setRefresh(freshWords.map(([part]) => part).filter((part) => values.includes(part)))
          }
        >
          <Stack gap="xs" mt="xs">
            {freshWords.map(([part, words]) => (
              <Checkbox
                key={part}
                value={part}
                label={words}
                disabled={part === "price" && price !== undefined}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Text size="sm" c="dimmed">
          A job brings it to eBay. What eBay refuses stands on the listing.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady} loading={isBusy}>
            Revise
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
