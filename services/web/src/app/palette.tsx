import "@mantine/spotlight/styles.css";
import type { Current } from "@cardvault/contract";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import {
  IconAlertTriangle,
  IconArrowRight,
  IconMapPin,
  IconSearch,
  IconStack2,
} from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { CardPicture } from "../parts/card-picture.tsx";
import { askFor } from "./asked.ts";
import { useIsRoute } from "./jump-keys.ts";
import { placesFor } from "./navigation.ts";
import { usePaletteActions } from "./palette-actions.ts";
import { useFound } from "./palette-search.ts";

const [store, palette] = createSpotlight();
const restMs = 120;

/** Pages, cards, batches and places by name, and what can be done from anywhere. */
export function Palette(props: { current: Current; isOpen: boolean; onClose: () => void }) {
  const { current, isOpen, onClose } = props;
  const [query, setQuery] = useState("");
  const [settled] = useDebouncedValue(query.trim(), restMs);
  const navigate = useNavigate();
  const isRoute = useIsRoute();
  const found = useFound(isOpen ? settled : "");
  useEffect(() => {
    if (isOpen) palette.open();
    else palette.close();
  }, [isOpen]);

  const word = query.trim().toLowerCase();
  const pages = [
    ...placesFor(current, isRoute).flatMap(({ places }) => places),
    // It stands in the person's menu, and has no letter.
    { to: "/settings/profile", words: "Your profile", key: null },
  ].filter(({ words }) => words.toLowerCase().includes(word));
  const actions = usePaletteActions(current).filter(({ words, also }) =>
    `${words} ${also}`.toLowerCase().includes(word),
  );
  const go =
    (to: string, search: Record<string, unknown> = {}) =>
    () => {
      askFor(null);
      void navigate({ to, search });
    };
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      // It grows downwards alone: what is found late moves nothing that somebody is about to press.
      centered={false}
      maxHeight={480}
      attributes={{ content: { "aria-label": "Go to" } }}
      transitionProps={{ duration: 0 }}
      // Blurring what stands behind it would cost more than all the rest of a frame.
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        placeholder="A page, a card, a batch or a place"
        aria-label="Go to"
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {word === "" ? null : (
          <Spotlight.Action
            label={`Search the inventory for “${query.trim()}”`}
            leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
            onClick={go("/inventory", { search: query.trim() })}
          />
        )}
        {pages.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ to, words, key }) => (
              <Spotlight.Action
                key={to}
                label={words}
                leftSection={<IconArrowRight size={18} stroke={1.6} aria-hidden />}
                rightSection={key === null ? null : <span className="cell-sub mono">g {key}</span>}
                onClick={go(to)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {actions.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Actions">
            {actions.map(({ words, icon: Shape, run }) => (
              <Spotlight.Action
                key={words}
                label={words}
                leftSection={<Shape size={18} stroke={1.6} aria-hidden />}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {/* What has to be searched stands below what is known at once, for the same reason. */}
        {found.cards.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Cards">
            {found.cards.map((card) => (
              <Spotlight.Action
                key={card.id}
                label={card.title ?? "Not identified"}
                description={[card.set, card.number, card.sku, card.location]
                  .filter((part) => part !== null)
                  .join(" · ")}
                leftSection={<CardPicture card={card} size="row" />}
                onClick={go(isRoute("/inventory/$id") ? `/inventory/${card.id}` : "/inventory", {})}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.batches.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Batches">
            {found.batches.map((batch) => (
              <Spotlight.Action
                key={batch.id}
                label={`${batch.code} ${batch.name}`}
                leftSection={<IconStack2 size={18} stroke={1.6} aria-hidden />}
                onClick={go(`/inventory/batches/${batch.id}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.places.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Places">
            {found.places.map(({ path, present }) => (
              <Spotlight.Action
                key={path}
                label={path}
                description={`${present.toLocaleString()} there`}
                leftSection={<IconMapPin size={18} stroke={1.6} aria-hidden />}
                onClick={go("/inventory", { location: [path] })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.failed.length === 0 ? null : (
          <Spotlight.Action
            label={`Not searched: ${found.failed.join(", ")}. Try again`}
            description="The service did not answer. Pages and actions are found all the same."
            leftSection={<IconAlertTriangle size={18} stroke={1.6} aria-hidden />}
            closeSpotlightOnTrigger={false}
            onClick={found.onRetry}
          />
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
