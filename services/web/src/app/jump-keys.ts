import { useEffect } from "react";
import { useNavigate } from "@tanstack/react-router";

/** `g`, then one of these letters, goes to the page. */
export const jumps = {
  h: "/",
  i: "/inventory",
  e: "/events",
  d: "/events/dropped",
  k: "/settings/api",
  w: "/settings/webhooks",
} as const;

const waitMs = 1_500;

const typing =
  "input:not([type=checkbox], [type=radio]), textarea, select, [role=menu], [role=dialog], [role=listbox]";

/** Keys typed into a field, a menu or an open dialog are not ours. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest(typing) !== null)
  );
}

export function useJumpKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - startedAt < waitMs;
      startedAt = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!isSecond || !(event.key in jumps)) return;
      event.preventDefault();
      void navigate({ to: jumps[event.key as keyof typeof jumps] });
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [navigate]);
}
