import { useHotkeys } from "react-hotkeys-hook";
import { isTyping } from "./jump-keys.ts";

/**
 * A hot key of a page, or several, divided by commas. It does nothing in a field, a menu or an open dialog,
 * and on a checkbox or a radio button, which are no fields, what it does elsewhere.
 * @param act is told which of the keys it was
 */
export function useHotKey(keys: string, act: (key: string) => void): void {
  useHotkeys(keys, (_event, { keys: pressed }) => act(pressed?.[0] ?? ""), {
    ignoreEventWhen: (event) => isTyping(event.target),
    // The library takes a ticked box for a field.
    enableOnFormTags: true,
  });
}
