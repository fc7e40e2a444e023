import type { EventType } from "@cardvault/contract";
import { eventTypes } from "@cardvault/contract";
import { MultiSelect } from "@mantine/core";

/** Which types of events are shown; none means every one. */
export function EventFilter(props: {
  value: readonly EventType[] | undefined;
  onChange: (events: EventType[] | undefined) => void;
}) {
  const chosen = props.value ?? [];
  return (
    <MultiSelect
      aria-label="Event type"
      placeholder={chosen.length === 0 ? "Every event type" : ""}
      size="xs"
      miw={200}
      maw={480}
      clearable
      clearButtonProps={{ "aria-label": "Every event type" }}
      data={[...eventTypes]}
      value={[...chosen]}
      onChange={(values) => {
        const events = eventTypes.filter((type) => values.includes(type));
        props.onChange(events.length > 0 ? events : undefined);
      }}
    />
  );
}
