import type { WebhookEndpoint } from "@cardvault/contract";
import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

export function DeleteEndpointDialog(props: {
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const { endpoint, onDone } = props;
  const remove = useMutation(
    trpc.webhooks.endpoints.delete.mutationOptions({
      onSuccess() {
        notifications.show({ message: "The endpoint is deleted." });
        onDone();
        close();
      },
    }),
  );
  function close(): void {
    props.onClose();
    remove.reset();
  }
  return (
    <ConfirmDialog
      opened={endpoint !== null}
      title="Delete endpoint"
      confirm="Delete endpoint"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        if (endpoint !== null) remove.mutate({ id: endpoint.id });
      }}
      onClose={close}
    >
      <Text style={{ overflowWrap: "anywhere" }}>
        <span className="mono">{endpoint?.url}</span> gets nothing more. Events on their way to it
        are dropped, and its dropped events can no longer be sent again. To stop for a while,
        disable it instead.
      </Text>
    </ConfirmDialog>
  );
}
