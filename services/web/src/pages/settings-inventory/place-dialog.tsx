import { Button, Group, Modal, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import type { ListedPlace } from "./places.tsx";

/** As a barcode can hold it, and as a scanner types it. */
const codePattern = /^[\x21-\x7e]*$/;

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
  const form = useForm<{ path: string; code: string; note: string; capacity: number | "" }>({
    initialValues: {
      path: place?.path ?? "",
      code: place?.code ?? "",
      note: place?.note ?? "",
      capacity: place?.capacity ?? "",
    },
    validate: {
      path: (path) => (path.trim() === "" ? "Say where it is" : null),
      code: (code) =>
        codePattern.test(code.trim()) ? null : "Use letters, digits and signs, without spaces",
    },
  });
  const save = useMutation(
    trpc.locations.places.save.mutationOptions({
      onSuccess() {
        void queryClient.invalidateQueries({ queryKey: trpc.locations.pathKey() });
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form
      onSubmit={form.onSubmit(({ path, code, note, capacity }) =>
        save.mutate({
          path: path.trim(),
          code: code.trim() === "" ? null : code.trim(),
          note: note.trim() === "" ? null : note.trim(),
          capacity: capacity === "" ? null : capacity,
        }),
      )}
      noValidate
    >
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
        <ProblemNote error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
