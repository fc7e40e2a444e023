import type { Current } from "@cardvault/contract";
import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(() => import("./palette.tsx").then((file) => ({ default: file.Palette })));

/** Ctrl or Cmd with K opens the palette, wherever one is; its code comes with the first time. */
export function PaletteKey({ current }: { current: Current }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setWasOpen(true);
      setIsOpen((before) => !before);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <Palette current={current} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}
