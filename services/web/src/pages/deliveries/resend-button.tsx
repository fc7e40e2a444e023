import { Button, Tooltip } from "@mantine/core";

/** Sends an event again; where its endpoint cannot receive, the button stays and says why. */
export function ResendButton(props: {
  words: string;
  row: { event: string; event_id: string; can_redeliver: boolean };
  isBusy: boolean;
  onResend: () => void;
}) {
  const { words, row, isBusy, onResend } = props;
  const button = (
    <Button
      size="compact-xs"
      variant="default"
      disabled={isBusy}
      {...(row.can_redeliver ? {} : { "data-disabled": true })}
      aria-disabled={!row.can_redeliver}
      aria-label={`${words} ${row.event} ${row.event_id}`}
      onClick={() => {
        if (row.can_redeliver) onResend();
      }}
    >
      {words}
    </Button>
  );
  if (row.can_redeliver) return button;
  return <Tooltip label="The endpoint is disabled or removed">{button}</Tooltip>;
}
