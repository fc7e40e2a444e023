import { useCallback, useEffect } from "react";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { sections } from "./navigation.ts";

const waitMs = 1_500;

const typing =
  "input:not([type=checkbox], [type=radio]), textarea, select, [role=menu], [role=dialog], [role=listbox], [data-typing]";

/** A dialog that covers the page: what lies behind it has no keys. */
export function isModalOpen(): boolean {
  return document.querySelector("[role=dialog][aria-modal=true]") !== null;
}

/** Keys typed into a field, a menu or an open dialog are not ours, wherever the focus is while one covers the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (isModalOpen()) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest(typing) !== null)
  );
}

/** Which pages there are, so that nothing leads to one that is not built. */
export function useIsRoute(): (to: string) => boolean {
  const { routesByPath } = useRouter();
  return useCallback((to: string) => to in routesByPath, [routesByPath]);
}

/** `g`, then the letter of a page, goes to it. */
export function useJumpKeys(): void {
  const navigate = useNavigate();
  const isRoute = useIsRoute();
  useEffect(() => {
    const places = sections.flatMap((section) => section.places);
    let startedAt = Number.NEGATIVE_INFINITY;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - startedAt < waitMs;
      startedAt = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const place = places.find(({ key }) => key === event.key);
      if (!isSecond || place === undefined || !isRoute(place.to)) return;
      // The letter alone may mean something on the page.
      event.preventDefault();
      event.stopImmediatePropagation();
      void navigate({ to: place.to });
    }
    // Before the keys of the page: `g`, `e` is a way to the events, and no edit.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [navigate, isRoute]);
}
