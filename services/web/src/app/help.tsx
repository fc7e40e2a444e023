import { Kbd, Modal } from "@mantine/core";
import { useEffect, useState } from "react";
import { isTyping } from "./jump-keys.ts";
import type { jumps } from "./jump-keys.ts";

const pageWords: Record<keyof typeof jumps, string> = {
  h: "Dashboard",
  i: "Inventory",
  e: "Events",
  d: "Dropped events",
  k: "API keys",
  w: "Webhooks",
};

/** `?` lists the keys that do something on every page. */
export function HelpDialog() {
  const [isOpen, setIsOpen] = useState(false);
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
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Keys">
      <dl className="keys">
        {Object.entries(pageWords).map(([key, words]) => (
          <div key={key}>
            <dt>
              <Kbd>g</Kbd> then <Kbd>{key}</Kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <Kbd>Esc</Kbd>
          </dt>
          <dd>Close what is open</dd>
        </div>
        <div>
          <dt>
            <Kbd>?</Kbd>
          </dt>
          <dd>This list</dd>
        </div>
      </dl>
    </Modal>
  );
}
