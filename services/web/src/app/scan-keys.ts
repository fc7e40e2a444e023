import { flushSync } from "react-dom";
import { fieldBurst, textFieldOf, typeInto } from "./field-burst.ts";
import { isTyping } from "./jump-keys.ts";

/**
 * Whoever is told of scans. A scanner that is a keyboard types its text in a burst and presses Enter, so
 * every key that is typed outside of a field waits for a moment, until it is clear that it is no part of one.
 */
export interface ScanTaker {
  /** A burst that Enter has ended, as it was scanned. */
  onScan: (text: string) => void;
  /** A burst that no Enter has ended, and that is too long for keys. */
  onUnfinished?: ((text: string) => void) | undefined;
  /** The page's own hot keys, in small letters. The others are given on. */
  keys?: Readonly<Record<string, () => void>> | undefined;
  /**
   * Scanning is what the page is there for: every burst is one, into a field too, and a hot key waits
   * longer for a slow scanner.
   */
  isForScans: boolean;
}

/**
 * For how long, in ms, the next key is waited for behind the first, the second, and all that follow. A
 * cordless scanner needs up to 50 ms a character; nobody notices 60. Two keys so close can still be a
 * person's; three are none, and then the pause of a busy machine ends nothing.
 */
const waitsMs = { keys: [60, 120, 400], scans: [100, 400, 400] } as const;
/** What was typed by hand and without Enter: keys, and not the beginning of a text. */
const mostKeys = 2;
/** A number and Enter are typed by hand where nobody waits for scans. */
const shortestScan = { keys: 2, scans: 1 } as const;

/** Where keys are text, and come to their place at once. A field is told apart: scans may end in it. */
const takesText = "select, [contenteditable]:not([contenteditable=false]), [data-typing]";
/** With what no code begins: a search, help, and a walk from card to card need not wait. */
const neverFirst = new Set(["/", "?", "[", "]"]);
/** A step in a list loses nothing, so it waits for nobody; what comes right behind it tells whether it began a scan. */
const atOnce = new Set(["j", "k"]);
const modifiers = new Set(["Shift", "CapsLock", "AltGraph", "Fn", "NumLock"]);

/** A key that stands for itself, and where it was pressed. */
interface Kept {
  /** It has gone where it was pressed already. */
  isGiven: boolean;
  key: string;
  code: string;
  shiftKey: boolean;
  target: EventTarget | null;
}

let takers: readonly { readonly current: ScanTaker }[] = [];

/** Answers how to stop. What is made for scans is told before what is not. */
export function takeScans(taker: { readonly current: ScanTaker }): () => void {
  takers = [...takers, taker];
  return () => {
    takers = takers.filter((one) => one !== taker);
  };
}

function takerNow(): ScanTaker | null {
  const found = takers.find(({ current }) => current.isForScans) ?? takers[0];
  return found?.current ?? null;
}

/** Keys that were held back and are given on now. */
const givenOn = new WeakSet<Event>();

/**
 * Has every key first, for as long as the document lives: to be called before anybody else listens. While
 * nobody takes scans all keys go where they were pressed.
 */
export function listenForScans(): void {
  let burst: Kept[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose coming up again is nobody's: a space that came up would press a button. */
  const held = new Set<string>();
  const field = fieldBurst();

  const waitMs = (kind: keyof typeof waitsMs): number =>
    waitsMs[kind][Math.min(burst.length, waitsMs[kind].length) - 1] ?? 0;
  function end(): Kept[] {
    clearTimeout(timer);
    const keys = burst;
    burst = [];
    return keys;
  }
  /** What is held was no scan. */
  function flush(): void {
    const keys = end();
    const taker = takerNow();
    if (keys.length <= mostKeys) {
      for (const one of keys) if (!one.isGiven) press(one, taker?.keys ?? {});
      return;
    }
    const opened = textFieldOf(document.activeElement);
    if (opened === null || taker?.isForScans === true) taker?.onUnfinished?.(textOf(keys));
    // Typed into a field that has opened meanwhile, as the palette does.
    else typeInto(opened, textOf(keys.filter(({ isGiven }) => !isGiven)));
  }
  function swallow(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    held.add(event.code);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const taker = takerNow();
    if (taker === null || givenOn.has(event) || event.isComposing) return;
    const kind = taker.isForScans ? "scans" : "keys";
    // The clock of the keys counts, and not when a busy page comes to read them.
    if (burst.length > 0 && event.timeStamp - lastAt > waitMs(kind)) flush();
    const own = textFieldOf(event.target);
    if (own !== null && taker.isForScans) {
      const text = field.take(own, event);
      if (text !== null) {
        event.preventDefault();
        event.stopImmediatePropagation();
        taker.onScan(text);
      }
    }
    if (event.key === "Enter" && own === null && burst.length >= shortestScan[kind]) {
      swallow(event);
      taker.onScan(textOf(end()));
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (!isCommand && modifiers.has(event.key)) return;
    const isText = own !== null || isIn(event.target, takesText);
    const isHeld = !isCommand && !isText && event.key.length === 1;
    const isFree = event.key === " " || (kind === "keys" && neverFirst.has(event.key));
    if (!isHeld || (isFree && burst.length === 0)) {
      // Keys keep their order.
      flush();
      return;
    }
    if (event.repeat) {
      // The list goes on under a key that is held down; a scanner holds none.
      if (taker.isForScans) swallow(event);
      else flush();
      return;
    }
    const { key, code, shiftKey, target } = event;
    const isGiven = kind === "keys" && burst.length === 0 && atOnce.has(key);
    if (!isGiven) swallow(event);
    burst.push({ isGiven, key, code, shiftKey, target });
    lastAt = event.timeStamp;
    clearTimeout(timer);
    timer = setTimeout(flush, waitMs(kind));
  }
  function onKeyUp(event: KeyboardEvent): void {
    if (!held.delete(event.code)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  window.addEventListener("keydown", onKeyDown, { capture: true });
  window.addEventListener("keyup", onKeyUp, { capture: true });
}

function textOf(keys: readonly Kept[]): string {
  return keys.map(({ key }) => key).join("");
}

function isIn(target: EventTarget | null, places: string): boolean {
  return target instanceof Element && target.closest(places) !== null;
}

/** Gives a key on that was no part of a scan. */
function press(
  { target, key, code, shiftKey }: Kept,
  own: Readonly<Record<string, () => void>>,
): void {
  const isHotKey = !isTyping(target);
  const { activeElement } = document;
  if (isHotKey && isTyping(activeElement)) {
    // The key before it has opened a field: there it is text.
    const field = textFieldOf(activeElement);
    if (field !== null) typeInto(field, key);
    return;
  }
  const act = own[key.toLowerCase()];
  if (act !== undefined && isHotKey) {
    flushSync(act);
    return;
  }
  const event = new KeyboardEvent("keydown", {
    key,
    code,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  givenOn.add(event);
  const isThere = target instanceof Node && target.isConnected;
  // The key after it finds the page as this one leaves it.
  flushSync(() => (isThere ? target : document.body).dispatchEvent(event));
}
