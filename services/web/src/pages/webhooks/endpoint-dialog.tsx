import type { EventType, WebhookEndpoint } from "@cardvault/contract";
import { eventTypes } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { eventWords } from "../../parts/words.ts";

const urlMaxLength = 2_048;
const descriptionMaxLength = 200;

type Handlers = { onClose: () => void; onMade: (secret: string) => void; onSaved: () => void };

/** Adds an endpoint, or edits the given one. */
export function EndpointDialog(
  props: Handlers & { opened: boolean; endpoint: WebhookEndpoint | null },
) {
  const { opened, endpoint, onClose } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={endpoint === null ? "Add endpoint" : "Edit endpoint"}
    >
      <EndpointForm {...props} />
    </Modal>
  );
}

function EndpointForm(props: Handlers & { endpoint: WebhookEndpoint | null }) {
  const { endpoint, onClose } = props;
  const form = useForm<{ url: string; description: string; events: EventType[] }>({
    initialValues: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      events: [...(endpoint?.events ?? eventTypes)],
    },
    validate: {
      url: (url) =>
        /^https?:\/\/\S+$/.test(url.trim()) ? null : "Enter an address like https://…",
      events: (given) => (given.length === 0 ? "Choose at least one" : null),
    },
  });
  const save = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn({ url, description, events }: typeof form.values) {
      const said = description.trim();
      const fields = { url: url.trim(), description: said === "" ? null : said, events };
      if (endpoint === null) {
        const { secret } = await trpcClient.webhooks.endpoints.create.mutate(fields);
        props.onMade(secret);
        return;
      }
      await trpcClient.webhooks.endpoints.update.mutate({ id: endpoint.id, ...fields });
      props.onSaved();
      onClose();
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label="Address"
          description="HTTPS, reachable from the internet"
          placeholder="https://example.com/webhooks/vault"
          inputMode="url"
          maxLength={urlMaxLength}
          data-autofocus
          {...form.getInputProps("url")}
        />
        <TextInput
          label="Description"
          description="Optional"
          maxLength={descriptionMaxLength}
          {...form.getInputProps("description")}
        />
        <Checkbox.Group label="Events" {...form.getInputProps("events")}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} mt={8}>
            {eventTypes.map((event) => (
              <Checkbox
                key={event}
                value={event}
                label={eventWords[event]}
                description={<span className="mono">{event}</span>}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <ProblemNote error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {endpoint === null ? "Add endpoint" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
