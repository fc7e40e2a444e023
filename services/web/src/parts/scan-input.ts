import { useEffect, useRef } from "react";
import { holdKeysBack } from "../app/key-guard.ts";

/**
 * A scanner that is a keyboard types its text in a burst and presses Enter; a cordless one needs up to
 * 50 ms a character. Nobody types outside of a field, so the first two may be further apart: all that
 * costs is that a hot key waits so long.
 */
const secondKeyMs = 100;
/** Once a burst has begun, a pause of a busy machine does not end it. */
const nextKeyMs = 400;
/** In a field only what no person types is a scan: every key within so long of the one before it. */
const fieldKeyMs = 45;
const fieldMinLength = 4;
/** What was typed by hand and without Enter: keys, and not the beginning of a text. */
const mostKeys = 2;

interface ScanInputOptions {
  /** A burst that Enter has ended, as it was scanned. */
  onScan: (text: string) => void;
  /** A burst that no Enter has ended: to be put into the field that scans are typed into. */
  onUnfinished?: (text: string) => void;
  /** The page's own hot keys, in small letters. The others are given on. */
  keys?: Readonly<Record<string, () => void>>;
  isOff?: boolean;
}

/**
 * Listens for scans on the whole page, whatever has the focus, so that no hot key fires from within one.
 * A field marked `data-scan` takes scans itself, by its form; another field that a scan was typed into
 * gets back what stood in it.
 */
export function useScanInput(options: ScanInputOptions): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { isOff = false } = options;
  useEffect(() => (isOff ? undefined : listen(latest)), [isOff]);
}

type Field = HTMLInputElement | HTMLTextAreaElement;
/** A key that stands for itself, and where it was pressed. */
interface Kept {
  key: string;
  code: string;
  target: EventTarget | null;
}

/** Keys that were held back and are given on now. */
const givenOn = new WeakSet<Event>();

/** Answers how to stop. */
function listen(latest: { readonly current: ScanInputOptions }): () => void {
  let burst: Kept[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose coming up again is nobody's: a space that came up would press a button. */
  const held = new Set<string>();
  const field = fieldBurst();

  function flush(): void {
    clearTimeout(timer);
    const keys = burst;
    burst = [];
    if (keys.length <= mostKeys) for (const one of keys) press(one, latest.current.keys ?? {});
    else latest.current.onUnfinished?.(textOf(keys));
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (givenOn.has(event) || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const own = fieldOf(event.target);
    if (own !== null) {
      const text = field.take(own, event);
      if (text !== null) {
        event.preventDefault();
        event.stopImmediatePropagation();
        latest.current.onScan(text);
      }
      return;
    }
    if (event.key === "Enter" && burst.length > 0) {
      swallow(event);
      clearTimeout(timer);
      const text = textOf(burst);
      burst = [];
      latest.current.onScan(text);
      return;
    }
    if (event.key.length !== 1 || (event.key === " " && burst.length === 0)) return;
    swallow(event);
    if (event.repeat) return;
    burst.push({ key: event.key, code: event.code, target: event.target });
    clearTimeout(timer);
    timer = setTimeout(flush, burst.length === 1 ? secondKeyMs : nextKeyMs);
  }
  function swallow(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    held.add(event.code);
  }
  function onKeyUp(event: KeyboardEvent): void {
    if (!held.delete(event.code)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  const letGo = holdKeysBack((event) => !givenOn.has(event));
  window.addEventListener("keydown", onKeyDown, { capture: true });
  window.addEventListener("keyup", onKeyUp, { capture: true });
  return () => {
    clearTimeout(timer);
    letGo();
    window.removeEventListener("keydown", onKeyDown, { capture: true });
    window.removeEventListener("keyup", onKeyUp, { capture: true });
  };
}

function textOf(keys: readonly Kept[]): string {
  return keys.map(({ key }) => key).join("");
}

/** Gives a key on that was no part of a scan. */
function press({ key, code, target }: Kept, keys: Readonly<Record<string, () => void>>): void {
  const own = keys[key.toLowerCase()];
  if (own !== undefined) {
    own();
    return;
  }
  const event = new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true });
  givenOn.add(event);
  const isThere = target instanceof Node && target.isConnected;
  (isThere ? target : document.body).dispatchEvent(event);
}

const texts = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea";

function fieldOf(target: EventTarget | null): Field | null {
  if (!(target instanceof HTMLElement)) return null;
  return target.closest<Field>(texts);
}

/** Scans that are typed into a field which is not for them. */
function fieldBurst(): { take: (field: Field, event: KeyboardEvent) => string | null } {
  let text = "";
  let before = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let within: Field | null = null;
  return {
    take(field, event) {
      if (field.dataset["scan"] !== undefined || field.type === "password") return null;
      const goesOn = within === field && event.timeStamp - lastAt < fieldKeyMs;
      lastAt = event.timeStamp;
      within = field;
      if (event.key === "Enter" && goesOn && text.length >= fieldMinLength) {
        const scanned = text;
        text = "";
        restore(field, before);
        return scanned;
      }
      if (event.key.length !== 1) {
        if (event.key !== "Shift") text = "";
        return null;
      }
      if (!goesOn || text === "") {
        text = "";
        before = field.value;
      }
      text += event.key;
      return null;
    },
  };
}

/** As if by hand, so that the form hears of it. */
function restore(field: Field, value: string): void {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
