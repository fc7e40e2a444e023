import type { RotationChoice, WebhookEndpoint } from "@cardvault/contract";
import { defaultRotation } from "@cardvault/contract";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RotationChoiceField } from "../../parts/rotation-choice.tsx";

type Handlers = { onClose: () => void; onMade: (secret: string) => void };

export function RotateSecretDialog(props: Handlers & { endpoint: WebhookEndpoint | null }) {
  const { endpoint, ...handlers } = props;
  return (
    <Modal opened={endpoint !== null} onClose={handlers.onClose} title="Rotate signing secret">
      {endpoint === null ? null : <RotateSecretForm endpoint={endpoint} {...handlers} />}
    </Modal>
  );
}

function RotateSecretForm({ endpoint, ...props }: Handlers & { endpoint: WebhookEndpoint }) {
  const [moment, setMoment] = useState<RotationChoice>(defaultRotation);
  const rotate = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn() {
      const { secret } = await trpcClient.webhooks.endpoints.rotate.mutate({
        id: endpoint.id,
        switch: moment,
      });
      props.onMade(secret);
    },
  });
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: "anywhere" }}>
        The new secret of <span className="mono">{endpoint.url}</span> is shown at once.
      </Text>
      <RotationChoiceField
        label="The new secret begins to sign"
        description="Let your receiver accept both before then."
        value={moment}
        onChange={setMoment}
      />
      <ProblemNote error={rotate.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
      </Group>
    </Stack>
  );
}
