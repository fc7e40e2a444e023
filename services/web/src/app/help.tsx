import { Kbd, Modal } from "@mantine/core";
import type { Current } from "@cardvault/contract";
import { Fragment, useEffect, useState } from "react";
import { isTyping, useIsRoute } from "./jump-keys.ts";
import { placesFor } from "./navigation.ts";
import { useShownKeys } from "./page-keys.ts";

const everywhere = [
  { keys: ["Ctrl", "K"], words: "Go to a page, a card, a batch or a place; do something" },
  { keys: ["/"], words: "Search this list; where there is none, everything" },
  { keys: ["Z"], words: "Undo the latest change" },
  { keys: ["Scan"], words: "Open the card; on Move, put it in its place or sell it" },
  { keys: ["Esc"], words: "Close what is open" },
  { keys: ["?"], words: "This list" },
];

/** `?` lists the keys that do something: those of the page first, then those of every page. */
export function HelpDialog({ current }: { current: Current }) {
  const [isOpen, setIsOpen] = useState(false);
  const isRoute = useIsRoute();
  const ofPage = useShownKeys();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      setIsOpen(true);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Keys" size="lg">
      {ofPage.length === 0 ? null : <KeyList heading="On this page" keys={ofPage} />}
      <KeyList heading="Everywhere" keys={everywhere} />
      <KeyList
        heading="Go to a page"
        keys={placesFor(current, isRoute)
          .flatMap(({ places }) => places)
          .map(({ key, words }) => ({ keys: ["g", key], words }))}
      />
    </Modal>
  );
}

function KeyList(props: {
  heading: string;
  keys: readonly { keys: readonly string[]; words: string }[];
}) {
  return (
    <>
      <h2 className="keys-heading">{props.heading}</h2>
      <dl className="keys">
        {props.keys.map(({ keys, words }) => (
          <div key={words}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index === 0 ? null : " "}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
