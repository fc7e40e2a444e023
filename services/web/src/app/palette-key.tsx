import type { Current } from "@cardvault/contract";
import { Suspense, useEffect, useState } from "react";
import { isTyping } from "./jump-keys.ts";
import { lazyPart } from "./lazy-part.tsx";
import { preloadWhatKeysOpen } from "./preload.ts";

const Palette = lazyPart(() => import("./palette.tsx").then((file) => file.Palette));

/** Whether a stroke is meant as the search of every page: it is typed nowhere, and the page has none of its own. */
function isFree(target: EventTarget | null): boolean {
  return !isTyping(target) && document.querySelector("main input[type=search]") === null;
}

/** Ctrl or Cmd with K opens the palette, and so does / where no list has a search of its own; its code comes once the first page rests. */
export function PaletteKey({ current }: { current: Current }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(preloadWhatKeysOpen, []);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      if (event.key === "k" && isCommand) {
        event.preventDefault();
        setWasOpen(true);
        setIsOpen((before) => !before);
      } else if (event.key === "/" && !isCommand && isFree(event.target)) {
        event.preventDefault();
        setWasOpen(true);
        setIsOpen(true);
      }
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <Palette
        current={current}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onMissing={() => {
          setIsOpen(false);
          setWasOpen(false);
        }}
      />
    </Suspense>
  );
}
