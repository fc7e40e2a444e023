import type { CardExport, CardSelection, ImportLayout } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, Select, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAccountId } from "../../../app/account.ts";
import { saveAnswer } from "../../../app/save-answer.ts";
import { ProblemNote } from "../../../parts/problem-panel.tsx";

const layoutWords: Record<ImportLayout, string> = {
  cardvault: "Card Vault",
  tcgplayer: "TCGplayer",
  manabox: "ManaBox",
  deckbox: "Deckbox",
  moxfield: "Moxfield",
  card_dealer_pro: "Card Dealer Pro",
  collx: "CollX",
  ebay: "eBay",
};
const formatWords: Record<CardExport["format"], string> = {
  csv: "CSV, for spreadsheets",
  json: "JSON, as the API answers",
  ndjson: "JSON, a card a line",
};
/** A selection that its address can hold is streamed to the disk by the browser itself. */
const longestAddress = 1_900;

/** The selected cards as a file, in the form of the tool that is to read it. */
export function ExportDialog(props: {
  what: string;
  selection: CardSelection;
  onClose: () => void;
}) {
  const accountId = useAccountId();
  const [format, setFormat] = useState<CardExport["format"]>("csv");
  const [layout, setLayout] = useState<ImportLayout>("cardvault");
  const [withIds, setWithIds] = useState(false);
  const form = {
    format,
    ...(format === "csv" ? { layout } : {}),
    ...(format === "csv" && layout === "cardvault" ? { with_ids: withIds } : {}),
  };
  const address = `/trpc/files/cards?${new URLSearchParams({
    account: accountId ?? "",
    selection: JSON.stringify(props.selection),
    ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)])),
  }).toString()}`;
  const save = useMutation({
    mutationFn: () =>
      saveAnswer("/trpc/files/cards", { ...form, selection: props.selection }, "cards"),
    onSuccess: props.onClose,
  });
  return (
    <Modal opened onClose={props.onClose} title={`Export ${props.what}`}>
      <Stack gap="md">
        <Select
          label="Format"
          allowDeselect={false}
          data-autofocus
          data={Object.entries(formatWords).map(([value, label]) => ({ value, label }))}
          value={format}
          onChange={(value) => setFormat((value ?? "csv") as CardExport["format"])}
        />
        {format === "csv" ? (
          <Select
            label="For"
            allowDeselect={false}
            data={Object.entries(layoutWords).map(([value, label]) => ({ value, label }))}
            value={layout}
            onChange={(value) => setLayout((value ?? "cardvault") as ImportLayout)}
          />
        ) : null}
        {format === "csv" && layout === "cardvault" ? (
          <Checkbox
            label="With the cards' ids, so that an edited list brings its changes back"
            checked={withIds}
            onChange={(event) => setWithIds(event.currentTarget.checked)}
          />
        ) : null}
        <ProblemNote error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          {address.length <= longestAddress ? (
            <Button component="a" href={address} download onClick={props.onClose}>
              Download
            </Button>
          ) : (
            <Button loading={save.isPending} onClick={() => save.mutate()}>
              Download
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
