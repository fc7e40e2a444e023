import type { Scope } from "@cardvault/contract";
import { scopes } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

const nameMaxLength = 100;

const scopeWords: Record<Scope, string> = {
  "cards:read": "Read cards",
  "cards:write": "Change cards",
  "batches:read": "Read batches",
  "listings:read": "Read listings",
  "listings:write": "Publish cards",
  identify: "Identify",
  prices: "Look up prices",
};

type Props = { opened: boolean; onClose: () => void; onMade: (token: string) => void };

export function CreateKeyDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Create key">
      <CreateKeyForm {...props} />
    </Modal>
  );
}

function CreateKeyForm({ onClose, onMade }: Props) {
  const form = useForm<{ name: string; scopes: Scope[] }>({
    initialValues: { name: "", scopes: [...scopes] },
    validate: {
      name: (name) => (name.trim() === "" ? "Say which program the key is for" : null),
      scopes: (given) => (given.length === 0 ? "Choose at least one" : null),
    },
  });
  const create = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn(values: typeof form.values) {
      const { token } = await trpcClient.keys.create.mutate(values);
      onMade(token);
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="The program that will use it"
          maxLength={nameMaxLength}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox.Group
          label="Scopes"
          description="What the key may do"
          {...form.getInputProps("scopes")}
        >
          <SimpleGrid cols={2} spacing="xs" verticalSpacing={8} mt={8}>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={scopeWords[scope]}
                description={<span className="mono">{scope}</span>}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <ProblemNote error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
