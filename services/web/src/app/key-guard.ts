type Check = (event: KeyboardEvent) => boolean;

let check: Check | null = null;

/**
 * A page that a scanner types into has every key first, to tell a scan from keys; those that are keys it
 * gives on. Whoever listens before the page must ask.
 */
export function isHeldBack(event: KeyboardEvent): boolean {
  return check?.(event) ?? false;
}

/** Answers how to stop. */
export function holdKeysBack(isHeld: Check): () => void {
  check = isHeld;
  return () => {
    if (check === isHeld) check = null;
  };
}
