import type { MarketplaceConnection } from "@cardvault/contract";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  onMade: (connection: MarketplaceConnection) => void;
}

/** Where parcels come from, told to the marketplace. */
export function LocationDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Add place that ships">
      <LocationForm {...props} />
    </Modal>
  );
}

function LocationForm({ onClose, onMade }: Props) {
  const form = useForm({
    initialValues: { name: "", country: "US", postal_code: "", city: "" },
    validate: {
      name: (name) => (name.trim() === "" ? "Give the place a name" : null),
      country: (country) =>
        /^[A-Za-z]{2}$/.test(country.trim()) ? null : "Two letters, like US or DE",
      postal_code: (code) => (code.trim() === "" ? "Enter the postal code" : null),
    },
  });
  const create = useMutation(
    trpc.marketplace.createLocation.mutationOptions({
      onSuccess(after) {
        onMade(after);
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    // Its own form within another's dialog: what it sends is not the other's.
    <form
      onSubmit={(event) => {
        event.stopPropagation();
        form.onSubmit(({ name, country, postal_code: code, city }) =>
          create.mutate({
            name: name.trim(),
            country: country.trim().toUpperCase(),
            postal_code: code.trim(),
            ...(city.trim() === "" ? {} : { city: city.trim() }),
          }),
        )(event);
      }}
      noValidate
    >
      <Stack gap="md">
        <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="Country"
          description="Its two letters"
          maxLength={2}
          {...form.getInputProps("country")}
        />
        <TextInput label="Postal code" maxLength={20} {...form.getInputProps("postal_code")} />
        <TextInput
          label="City"
          description="Optional"
          maxLength={100}
          {...form.getInputProps("city")}
        />
        <ProblemNote error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Add place
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
