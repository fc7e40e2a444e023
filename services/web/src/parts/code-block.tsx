import { ActionIcon, Box, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** Text to read and to copy, byte for byte. It scrolls by itself, so it can be focused. */
export function CodeBlock(props: { label: string; text: string; note?: ReactNode }) {
  const clipboard = useClipboard({ timeout: 3_000 });
  return (
    <figure className="code-block">
      <figcaption>
        <span>{props.label}</span>
        {props.note === undefined ? null : <span className="cell-sub">{props.note}</span>}
        <Tooltip label={clipboard.copied ? "Copied" : "Copy"}>
          <ActionIcon
            ml="auto"
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={clipboard.copied ? "Copied" : `Copy ${props.label.toLowerCase()}`}
            onClick={() => clipboard.copy(props.text)}
          >
            {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      </figcaption>
      <Box component="section" className="code" tabIndex={0} aria-label={props.label}>
        <pre>{props.text}</pre>
      </Box>
    </figure>
  );
}

/** Names and values of HTTP headers. */
export function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
