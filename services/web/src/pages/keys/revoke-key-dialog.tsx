import type { ApiKey } from "@cardvault/contract";
import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

export function RevokeKeyDialog(props: { apiKey: ApiKey | null; onClose: () => void }) {
  const { apiKey, onClose } = props;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess(key) {
        notifications.show({ message: `${key.name} is revoked.` });
        close();
        return queryClient.invalidateQueries(trpc.keys.list.queryFilter());
      },
    }),
  );
  function close(): void {
    onClose();
    revoke.reset();
  }
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title="Revoke key"
      confirm="Revoke key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => {
        if (apiKey !== null) revoke.mutate({ id: apiKey.id });
      }}
      onClose={close}
    >
      {apiKey === null ? null : (
        <>
          <Text>
            <strong>{apiKey.name}</strong> (<span className="mono">…{apiKey.last_four}</span>) ends
            at once: every call with it answers 401. This cannot be undone.
          </Text>
          <Text c="dimmed" mt={8}>
            {apiKey.last_used_at === null ? (
              "It was never used."
            ) : (
              <>
                Last used <RelativeTime at={apiKey.last_used_at} />.
              </>
            )}
          </Text>
        </>
      )}
    </ConfirmDialog>
  );
}
