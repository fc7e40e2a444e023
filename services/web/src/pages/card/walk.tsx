import { Button, Kbd } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect } from "react";
import { filterOf } from "../../app/inventory-search.ts";
import { isTyping } from "../../app/jump-keys.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { useCardOrder } from "../../parts/card-order.ts";

/** From this card to its neighbours in the list that it was opened from, with `[` and `]`. */
export function Walk({ id }: { id: string }) {
  const search = useSearch({ from: "/inside/inventory/$id" });
  const navigate = useNavigate({ from: "/inventory/$id" });
  const { order } = useCardOrder(filterOf(search), search.sort);
  const place = order.indexOf(id);
  const before = place > 0 ? order.at(place - 1) : undefined;
  const after = place < 0 ? undefined : order.at(place + 1);

  useEffect(() => {
    // The next one is there before it is asked for.
    for (const neighbour of [after, before]) {
      if (neighbour === undefined) continue;
      void queryClient.prefetchQuery(trpc.cards.get.queryOptions({ id: neighbour }));
    }
  }, [after, before]);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const to = event.key === "[" ? before : event.key === "]" ? after : undefined;
      if (to === undefined) return;
      event.preventDefault();
      void navigate({ params: { id: to }, search: (given) => given, replace: true });
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [navigate, before, after]);

  const go = (to: string | undefined) => {
    if (to !== undefined)
      void navigate({ params: { id: to }, search: (given) => given, replace: true });
  };
  if (place < 0) return null;
  return (
    <nav className="walk" aria-label="The list that this card is in">
      <Button
        size="xs"
        px={8}
        variant="default"
        aria-label="Previous card"
        disabled={before === undefined}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        rightSection={<Kbd size="xs">[</Kbd>}
        onClick={() => go(before)}
      />
      <span className="cell-sub">
        {(place + 1).toLocaleString()} of {order.length.toLocaleString()}
      </span>
      <Button
        size="xs"
        px={8}
        variant="default"
        aria-label="Next card"
        disabled={after === undefined}
        leftSection={<Kbd size="xs">]</Kbd>}
        rightSection={<IconChevronRight size={16} aria-hidden />}
        onClick={() => go(after)}
      />
    </nav>
  );
}
