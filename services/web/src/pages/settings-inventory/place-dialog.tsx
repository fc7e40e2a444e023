import { Button, Group, Modal, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { StaleFields, useStaleForm } from "../../parts/stale-form.tsx";
import type { ListedPlace } from "./places.tsx";

/** As a barcode can hold it, and as a scanner types it. */
const codePattern = /^[\x21-\x7e]*$/;

/** A place as the form has it. */
type PlaceTexts = { path: string; code: string; note: string; capacity: number | "" };
type KnownPlace = Pick<ListedPlace, "path" | "code" | "note" | "capacity">;

const words = {
  path: { label: "Place" },
  code: { label: "Code" },
  note: { label: "Note" },
  capacity: { label: "Capacity" },
};

function textsOf(place: KnownPlace | null): PlaceTexts {
  return {
    path: place?.path ?? "",
    code: place?.code ?? "",
    note: place?.note ?? "",
    capacity: place?.capacity ?? "",
  };
}

/** Describes the place, as long as what was read of it still stands there. */
function write({ path, code, note, capacity }: PlaceTexts, read: KnownPlace | null) {
  return trpcClient.locations.places.save.mutate({
    path: path.trim(),
    code: code.trim() === "" ? null : code.trim(),
    note: note.trim() === "" ? null : note.trim(),
    capacity: capacity === "" ? null : capacity,
    expected: read === null ? null : { code: read.code, note: read.note, capacity: read.capacity },
  });
}

/** What is known of a place now; null where that is nothing. */
async function findPlace(path: string): Promise<KnownPlace | null> {
  // Those that begin as it does come just before it.
  let after = path.slice(0, -1);
  for (;;) {
    const { data, has_more: hasMore } = await trpcClient.locations.places.list.query({ after });
    const found = data.find((place) => place.path === path);
    const last = data.at(-1);
    if (found !== undefined || !hasMore || last === undefined) return found ?? null;
    after = last.path;
  }
}

interface Props {
  /** `new` describes a place; one that is there is edited. */
  place: ListedPlace | "new" | null;
  onClose: () => void;
}

export function PlaceDialog({ place, onClose }: Props) {
  return (
    <Modal
      opened={place !== null}
      onClose={onClose}
      title={place === "new" ? "Add place" : "Edit place"}
    >
      {place === null ? null : (
        <PlaceForm place={place === "new" ? null : place} onClose={onClose} />
      )}
    </Modal>
  );
}

function PlaceForm({ place, onClose }: { place: ListedPlace | null; onClose: () => void }) {
  const form = useForm<PlaceTexts>({
    initialValues: textsOf(place),
    validate: {
      path: (path) => (path.trim() === "" ? "Say where it is" : null),
      code: (code) =>
        codePattern.test(code.trim()) ? null : "Use letters, digits and signs, without spaces",
    },
  });
  const stale = useStaleForm(form, place as KnownPlace | null, (read) => ({
    ...textsOf(read),
    // One that is new has no other place.
    path: form.getValues().path,
  }));
  const save = useMutation({
    mutationFn: (texts: PlaceTexts) => stale.save(texts, write, () => findPlace(texts.path.trim())),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: trpc.locations.pathKey() });
      onClose();
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  return (
    <form onSubmit={form.onSubmit((texts) => save.mutate(texts))} noValidate>
      <Stack gap="md">
        <TextInput
          label="Place"
          description="As the cards' location says it"
          maxLength={120}
          readOnly={place !== null}
          data-autofocus={place === null || undefined}
          {...form.getInputProps("path")}
        />
        <TextInput
          label="Code"
          description="On its label, for the scanner. Optional"
          maxLength={40}
          spellCheck={false}
          data-autofocus={place !== null || undefined}
          {...form.getInputProps("code")}
        />
        <NumberInput
          label="Capacity"
          description="Copies that it holds. Optional"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          thousandSeparator=","
          {...form.getInputProps("capacity")}
        />
        <Textarea
          label="Note"
          description="Optional"
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps("note")}
        />
        <StaleFields stale={stale} values={form.values} words={words} />
        <ProblemNote error={stale.errorOf(save.error)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={stale.clashes.length > 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
