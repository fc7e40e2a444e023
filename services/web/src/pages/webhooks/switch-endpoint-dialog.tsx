import type { WebhookEndpoint } from "@cardvault/contract";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

type Handlers = { onClose: () => void; onDone: () => void };

/** Enables or disables an endpoint, and says what that does to its events. */
export function SwitchEndpointDialog(props: Handlers & { endpoint: WebhookEndpoint | null }) {
  const { endpoint, ...handlers } = props;
  return (
    <Modal
      opened={endpoint !== null}
      onClose={handlers.onClose}
      title={endpoint?.enabled === true ? "Disable endpoint" : "Enable endpoint"}
    >
      {endpoint === null ? null : <SwitchEndpointForm endpoint={endpoint} {...handlers} />}
    </Modal>
  );
}

function SwitchEndpointForm({ endpoint, ...props }: Handlers & { endpoint: WebhookEndpoint }) {
  const update = useMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess() {
        props.onDone();
        props.onClose();
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: "anywhere" }}>
        <span className="mono">{endpoint.url}</span>
      </Text>
      <Text>
        {endpoint.enabled
          ? "Nothing more is sent to it. Events on their way to it are dropped; you find them under dropped events and can send them again once it is enabled."
          : "New events are sent to it from now on. Those that were dropped meanwhile are not: send them again under dropped events."}
      </Text>
      <ProblemNote error={update.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button
          {...(endpoint.enabled ? { color: "red" } : {})}
          loading={update.isPending}
          onClick={() => update.mutate({ id: endpoint.id, enabled: !endpoint.enabled })}
        >
          {endpoint.enabled ? "Disable endpoint" : "Enable endpoint"}
        </Button>
      </Group>
    </Stack>
  );
}
