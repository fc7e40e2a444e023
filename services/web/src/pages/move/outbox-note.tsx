import { Button } from "@mantine/core";
import { IconClockPause, IconLock } from "@tabler/icons-react";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/words.ts";
import type { OutboxLink } from "./outbox.ts";

/** Says what is not sent yet, and that it is not lost. Nothing while all goes well. */
export function OutboxNote(props: {
  link: OutboxLink;
  isKept: boolean;
  waiting: number;
  one: string;
  onRetry: () => void;
}) {
  const { link, isKept, waiting, one } = props;
  if (waiting === 0) return null;
  if (link !== "waiting" && link !== "held" && isKept) return null;
  const what = `${counted(waiting, one)} not sent yet`;
  return (
    <output className="panel move-place">
      <span className="move-what">
        <Chip tone="warning" icon={link === "held" ? IconLock : IconClockPause}>
          {what}
        </Chip>
        <span className="cell-sub">
          {link === "held"
            ? "Sign in again, in this account, and they are sent."
            : link === "waiting"
              ? "The service cannot be reached. Go on scanning: they are sent in order as soon as it can."
              : ""}
          {isKept
            ? ""
            : " This browser keeps nothing over a reload: leave the page open until they are sent."}
        </span>
      </span>
      {link === "waiting" ? (
        <Button variant="default" size="xs" onClick={props.onRetry}>
          Try now
        </Button>
      ) : null}
    </output>
  );
}
