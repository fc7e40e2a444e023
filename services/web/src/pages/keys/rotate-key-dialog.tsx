import type { ApiKey, RotationChoice } from "@cardvault/contract";
import { defaultRotation } from "@cardvault/contract";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RotationChoiceField } from "../../parts/rotation-choice.tsx";

type Handlers = { onClose: () => void; onMade: (token: string) => void };

export function RotateKeyDialog({ apiKey, ...handlers }: Handlers & { apiKey: ApiKey | null }) {
  return (
    <Modal opened={apiKey !== null} onClose={handlers.onClose} title="Rotate key">
      {apiKey === null ? null : <RotateKeyForm apiKey={apiKey} {...handlers} />}
    </Modal>
  );
}

function RotateKeyForm({ apiKey, onClose, onMade }: Handlers & { apiKey: ApiKey }) {
  const [oldEnds, setOldEnds] = useState<RotationChoice>(defaultRotation);
  const rotate = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn() {
      const { token } = await trpcClient.keys.rotate.mutate({ id: apiKey.id, old_ends: oldEnds });
      onMade(token);
    },
  });
  return (
    <Stack gap="md">
      <Text>
        A new key with the same scopes takes the place of <strong>{apiKey.name}</strong> (
        <span className="mono">…{apiKey.last_four}</span>).
      </Text>
      <RotationChoiceField
        label="The old key ends"
        description="Until then both work."
        value={oldEnds}
        onChange={setOldEnds}
      />
      <ProblemNote error={rotate.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate key
        </Button>
      </Group>
    </Stack>
  );
}
