import type { EventType, WebhookEndpoint } from "@cardvault/contract";
import { eventTypes } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { changedMembers, readOf, StaleFields, useStaleForm } from "../../parts/stale-form.tsx";
import { eventWords } from "../../parts/words.ts";

const urlMaxLength = 2_048;
const descriptionMaxLength = 200;

/** An endpoint as the form has it. */
type EndpointTexts = { url: string; description: string; events: EventType[] };

const words = {
  url: { label: "Address" },
  description: { label: "Description" },
  events: {
    label: "Events",
    say: (events: EventType[]) => events.map((event) => eventWords[event]).join(", "),
  },
};

function textsOf(endpoint: WebhookEndpoint | null): EndpointTexts {
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    events: [...(endpoint?.events ?? eventTypes)],
  };
}

function fieldsOf({ url, description, events }: EndpointTexts) {
  const said = description.trim();
  return {
    url: url.trim(),
    description: said === "" ? null : said,
    events: eventTypes.filter((event) => events.includes(event)),
  };
}

/** Writes what is another than what was read, as long as that still stands there. */
async function update(texts: EndpointTexts, read: WebhookEndpoint): Promise<void> {
  const written = changedMembers(fieldsOf(texts), fieldsOf(textsOf(read)));
  if (Object.keys(written).length === 0) return;
  const expected = readOf(read, written);
  await trpcClient.webhooks.endpoints.update.mutate({ id: read.id, ...written, expected });
}

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
  const form = useForm<EndpointTexts>({
    initialValues: textsOf(endpoint),
    validate: {
      url: (url) =>
        /^https?:\/\/\S+$/.test(url.trim()) ? null : "Enter an address like https://…",
      events: (given) => (given.length === 0 ? "Choose at least one" : null),
    },
  });
  const stale = useStaleForm(form, endpoint, textsOf);
  const save = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn(texts: EndpointTexts) {
      if (endpoint === null) {
        const { secret } = await trpcClient.webhooks.endpoints.create.mutate(fieldsOf(texts));
        props.onMade(secret);
        return;
      }
      const { id } = endpoint;
      await stale.save(
        texts,
        (values, read) => update(values, read ?? endpoint),
        () => trpcClient.webhooks.endpoints.get.query({ id }),
      );
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
        <StaleFields stale={stale} values={form.values} words={words} />
        <ProblemNote error={stale.errorOf(save.error)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={stale.clashes.length > 0}>
            {endpoint === null ? "Add endpoint" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
