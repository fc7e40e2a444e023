import { Autocomplete, Button, Group, Modal, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

const waitMs = 120;
const suggested = 8;
const maxLength = 120;

/** Where all the cards go. */
export function MoveCardsDialog(props: {
  opened: boolean;
  /** `12 cards`, or `these cards`. */
  what: string;
  isPending: boolean;
  error: unknown;
  onMove: (location: string) => void;
  onClose: () => void;
}) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={`Move ${props.what}`}>
      <MoveForm {...props} />
    </Modal>
  );
}

function MoveForm(props: Omit<Parameters<typeof MoveCardsDialog>[0], "opened">) {
  const [place, setPlace] = useState("");
  const [asked] = useDebouncedValue(place, waitMs);
  const suggestions = useQuery(
    trpc.locations.suggest.queryOptions(
      { text: asked, limit: suggested },
      { placeholderData: keepPreviousData },
    ),
  );
  const where = place.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (where !== "") props.onMove(where);
      }}
    >
      <Stack gap="md">
        <Autocomplete
          label="To"
          placeholder="Vault/A-03"
          maxLength={maxLength}
          data-autofocus
          comboboxProps={{ withinPortal: false, floatingStrategy: "fixed" }}
          data={suggestions.data?.data.map(({ path }) => path) ?? []}
          filter={({ options }) => options}
          value={place}
          onChange={setPlace}
        />
        <ProblemNote error={props.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={where === ""} loading={props.isPending}>
            {`Move ${props.what}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
