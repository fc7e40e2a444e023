import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { periods } from "../app/search.ts";
import type { Period, TimeSearch } from "../app/search.ts";

const periodWords: Record<Period, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** As a field of the browser writes a moment: in its own time zone, to the minute. */
export function fieldMoment(moment: string | undefined): string {
  if (moment === undefined) return "";
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function momentOfField(value: string): string | undefined {
  const at = new Date(value);
  return value === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A period that ends now, or exact moments. */
export function TimeFilter(props: { value: TimeSearch; onChange: (time: TimeSearch) => void }) {
  const { value, onChange } = props;
  const hasMoments = value.since !== undefined || value.until !== undefined;
  const [isExact, setIsExact] = useState(hasMoments);
  const shown = value.period ?? (hasMoments || isExact ? "exact" : null);
  return (
    <>
      <Select
        aria-label="Time"
        placeholder="Any time"
        size="xs"
        w={144}
        clearable
        clearButtonProps={{ "aria-label": "Any time" }}
        data={[
          ...periods.map((period) => ({ value: period, label: periodWords[period] })),
          { value: "exact", label: "From … to …" },
        ]}
        value={shown}
        onChange={(chosen) => {
          setIsExact(chosen === "exact");
          const period = periods.find((known) => known === chosen);
          onChange({ period, since: undefined, until: undefined });
        }}
      />
      {shown === "exact" ? (
        <>
          <MomentField
            label="From"
            value={value.since}
            onChange={(since) => onChange({ since, until: value.until, period: undefined })}
          />
          <MomentField
            label="To"
            value={value.until}
            onChange={(until) => onChange({ since: value.since, until, period: undefined })}
          />
        </>
      ) : null}
    </>
  );
}

function MomentField(props: {
  label: string;
  value: string | undefined;
  onChange: (moment: string | undefined) => void;
}) {
  return (
    <TextInput
      aria-label={props.label}
      type="datetime-local"
      size="xs"
      value={fieldMoment(props.value)}
      onChange={(event) => props.onChange(momentOfField(event.currentTarget.value))}
    />
  );
}
