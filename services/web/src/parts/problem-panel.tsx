import { ActionIcon, Button, Group, Title } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import { problemOf } from "../app/problem.ts";
import type { Problem } from "../app/problem.ts";
import { Chip } from "./chip.tsx";

/** Code and request, for whoever is asked for help; the request can be copied. */
export function ProblemFacts({ problem: { code, requestId } }: { problem: Problem }) {
  return (
    <span className="cell-sub mono problem-facts">
      {code}
      {requestId === null ? null : (
        <>
          {" · "}
          <span className="wrap">{requestId}</span>
          <CopyRequest id={requestId} />
        </>
      )}
    </span>
  );
}

function CopyRequest({ id }: { id: string }) {
  const clipboard = useClipboard();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="xs"
      aria-label={clipboard.copied ? "Copied" : "Copy the request id"}
      onClick={() => clipboard.copy(id)}
    >
      {clipboard.copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
    </ActionIcon>
  );
}

/** In place of what could not be loaded. */
export function ProblemPanel(props: { error: unknown; what: string; onRetry: () => void }) {
  const problem = problemOf(props.error);
  if (problem.code === "not_permitted") return <OwnersOnly />;
  return (
    <div className="state-panel" role="alert">
      <Chip tone="bad" icon={IconAlertTriangle}>
        {`${props.what} could not be loaded`}
      </Chip>
      <p>{problem.message}</p>
      <ProblemFacts problem={problem} />
      <Button variant="default" onClick={props.onRetry}>
        Retry
      </Button>
    </div>
  );
}

/** A retry would not help, so it says who can. */
function OwnersOnly() {
  return (
    <div className="state-panel">
      <Title order={2}>Only owners can see this</Title>
      <p>You are a member of this account. Ask one of its owners.</p>
    </div>
  );
}

/** Beside the control whose action failed; what was typed stays. */
export function ProblemNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const problem = problemOf(error);
  return (
    <div role="alert">
      <Group gap={4} align="flex-start" wrap="nowrap">
        <span className="chip" data-tone="bad">
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span style={{ whiteSpace: "normal" }}>{problem.message}</span>
        </span>
      </Group>
      <ProblemFacts problem={problem} />
    </div>
  );
}
