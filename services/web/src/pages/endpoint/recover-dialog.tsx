import type { RecoverScope, WebhookEndpoint } from "@cardvault/contract";
import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshEndpoints } from "../../app/refresh.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import type { RecoverStart } from "./endpoint.tsx";
import { defaultSince, SinceField } from "./since.tsx";

interface Given {
  endpoint: WebhookEndpoint;
  failingSince: string | null;
  onClose: () => void;
}

/** Sends everything since a moment again, as a job that goes on when the page is left. */
export function RecoverDialog({ start, ...given }: Given & { start: RecoverStart | null }) {
  return (
    <Modal opened={start !== null} onClose={given.onClose} size="lg" title="Recover events">
      {start === null ? null : <RecoverForm start={start} {...given} />}
    </Modal>
  );
}

function RecoverForm(props: Given & { start: RecoverStart }) {
  const { endpoint, failingSince, start, onClose } = props;
  const [since, setSince] = useState(() => start.since ?? failingSince ?? defaultSince());
  const [include, setInclude] = useState<RecoverScope>(start.include);
  const recover = useMutation(
    trpc.webhooks.endpoints.recover.mutationOptions({
      onSuccess(job) {
        queryClient.setQueryData(trpc.jobs.get.queryKey({ id: job.id }), job);
        void queryClient.invalidateQueries({ queryKey: trpc.jobs.list.pathKey() });
        void refreshEndpoints();
        onClose();
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: "anywhere" }}>
        <span className="mono">{endpoint.url}</span> gets these events again, with their ids and
        bytes as they were. You can leave this page meanwhile.
      </Text>
      <SinceField
        label="Everything since"
        value={since}
        failingSince={failingSince}
        size="sm"
        onChange={setSince}
      />
      <Radio.Group
        label="Which events"
        value={include}
        onChange={(value) => setInclude(value === "missing" ? "missing" : "failed")}
      >
        <Stack gap={8} mt={8}>
          <Radio
            size="xs"
            value="failed"
            label="All that failed"
            description="Dropped, or failed and waiting for a retry"
          />
          <Radio
            size="xs"
            value="missing"
            label="All that are missing"
            description="Also those never sent: it was disabled, not there yet or not subscribed"
          />
        </Stack>
      </Radio.Group>
      <ProblemNote error={recover.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={recover.isPending}
          onClick={() => recover.mutate({ id: endpoint.id, since, include })}
        >
          Recover
        </Button>
      </Group>
    </Stack>
  );
}
