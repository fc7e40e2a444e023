import type { ChangeEvent, KeyboardEvent } from "react";
import { useRef, useState } from "react";

/** Keys that open a select's list, leave it or say that it is meant; every other one changes its value. */
const notWalking = new Set([
  "Enter",
  " ",
  "Escape",
  "Tab",
  "Shift",
  "Control",
  "Alt",
  "Meta",
  "F4",
]);

/**
 * Tells a value that was chosen from a select's list from one that a key has walked to: outside of macOS an
 * arrow on a closed select changes it at once, and every value on the way would be saved.
 */
export function useWalking() {
  const isWalking = useRef(false);
  return {
    /** Whether the change that is told of now was made by a key on the closed select. */
    isWalking: (): boolean => isWalking.current,
    noteKeyDown: (event: KeyboardEvent): void => {
      isWalking.current = !event.altKey && !notWalking.has(event.key);
    },
    noteKeyUp: (): void => {
      isWalking.current = false;
    },
  };
}

/**
 * The properties of a select that saves what is chosen. What is walked to by keys is shown, and chosen by
 * Enter or by leaving the select; Escape gives it up.
 */
export function useChoice(value: string, onChoose: (chosen: string) => void) {
  const [walked, setWalked] = useState<string | null>(null);
  const { isWalking, noteKeyDown, noteKeyUp } = useWalking();
  function choose(chosen: string): void {
    setWalked(null);
    if (chosen !== value) onChoose(chosen);
  }
  return {
    value: walked ?? value,
    onChange(event: ChangeEvent<HTMLSelectElement>): void {
      const chosen = event.currentTarget.value;
      if (isWalking()) setWalked(chosen);
      else choose(chosen);
    },
    onKeyDown(event: KeyboardEvent): void {
      noteKeyDown(event);
      if (walked === null || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter") choose(walked);
      else setWalked(null);
    },
    onKeyUp: noteKeyUp,
    onBlur(): void {
      if (walked !== null) choose(walked);
    },
  };
}
