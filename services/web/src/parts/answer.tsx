import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Chip } from "./chip.tsx";
import { CodeBlock, headersText } from "./code-block.tsx";
import { lastAnswerWords } from "./words.ts";

export function OutcomeChip(props: {
  delivered: boolean;
  status_code: number | null;
  error: string | null;
}) {
  return (
    <Chip
      tone={props.delivered ? "good" : "bad"}
      icon={props.delivered ? IconCircleCheck : IconAlertTriangle}
    >
      {lastAnswerWords(props.status_code, props.error)}
    </Chip>
  );
}

/** What a receiver answered. */
export function Answer(props: {
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean;
}) {
  if (props.response_headers === null && props.response_body === null) {
    return <p className="cell-sub">There was no answer to show.</p>;
  }
  return (
    <>
      {props.response_headers === null ? null : (
        <CodeBlock label="Response headers" text={headersText(props.response_headers)} />
      )}
      {props.response_body === null || props.response_body === "" ? (
        <p className="cell-sub">The response had no body.</p>
      ) : (
        <CodeBlock
          label="Response body"
          text={props.response_body}
          note={props.response_truncated ? "Truncated: only its beginning is kept" : undefined}
        />
      )}
    </>
  );
}
