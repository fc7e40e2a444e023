import { IconPlugConnectedX } from "@tabler/icons-react";
import { useLiveState } from "./live.ts";

/** Says quietly that what others change does not show at the moment; while it does, nothing is said. */
export function LiveMark() {
  const isLost = useLiveState() === "lost";
  return (
    <output className="live-mark">
      {isLost ? (
        <>
          <IconPlugConnectedX size={16} stroke={1.6} aria-hidden />
          Not live: connecting again
        </>
      ) : null}
    </output>
  );
}
