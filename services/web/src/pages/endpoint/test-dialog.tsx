import type { EndpointTest, EventType, WebhookEndpoint } from "@cardvault/contract";
import { eventTypes } from "@cardvault/contract";
import { Button, Group, Modal, Select, Stack, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshDeliveries } from "../../app/refresh.ts";
import { trpc } from "../../app/trpc.ts";
import { Answer, OutcomeChip } from "../../parts/answer.tsx";
import { CodeBlock, headersText } from "../../parts/code-block.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { TimingsBar } from "../../parts/timings.tsx";
import { eventWords } from "../../parts/words.ts";

interface Given {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** Sends an event that never happened, and shows everything that came of it. */
export function TestDialog({ opened, ...given }: Given & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={given.onClose} size="xl" title="Send test event">
      <TestForm {...given} />
    </Modal>
  );
}

function TestForm({ endpoint, onClose }: Given) {
  const [event, setEvent] = useState<EventType>(endpoint.events[0] ?? eventTypes[0]);
  const test = useMutation(
    trpc.webhooks.endpoints.test.mutationOptions({ onSuccess: refreshDeliveries }),
  );
  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        test.mutate({ id: endpoint.id, event });
      }}
    >
      <Stack gap="md">
        <Group gap="xs" align="flex-end">
          <Select
            label="Event type"
            description="Signed like every other, and marked with X-Vault-Test: true"
            flex={1}
            miw={240}
            allowDeselect={false}
            data={eventTypes.map((value) => ({ value, label: `${value}: ${eventWords[value]}` }))}
            value={event}
            onChange={(value) => {
              const chosen = eventTypes.find((known) => known === value);
              if (chosen !== undefined) setEvent(chosen);
            }}
          />
          <Button type="submit" loading={test.isPending} data-autofocus>
            Send
          </Button>
        </Group>
        <ProblemNote error={test.error} />
        {test.isPending ? (
          <output className="cell-sub">Waiting for the answer, up to ten seconds.</output>
        ) : test.data === undefined ? null : (
          <TestResult result={test.data} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TestResult({ result }: { result: EndpointTest }) {
  return (
    <section aria-label="Result" aria-live="polite">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={3}>{result.delivered ? "Delivered" : "Not delivered"}</Title>
          <OutcomeChip {...result} />
        </Group>
        <TimingsBar timings={result} />
        <Answer {...result} />
        <CodeBlock
          label="Request headers"
          note={result.request.url}
          text={headersText(result.request.headers)}
        />
        <CodeBlock label="Request body" text={result.request.body} />
      </Stack>
    </section>
  );
}
