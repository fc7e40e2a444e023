import { useRef } from "react";
import { newUuid } from "./new-uuid.ts";

/**
 * Idempotency keys for what a page begins: the same request, sent again after no answer came, has the key that
 * it had, and begins nothing a second time. `forget` once it has been answered.
 */
export function useRequestKey(): { keyFor: (request: unknown) => string; forget: () => void } {
  const sent = useRef<{ body: string; key: string } | null>(null);
  return {
    keyFor(request) {
      const body = JSON.stringify(request);
      if (sent.current?.body !== body) sent.current = { body, key: newUuid() };
      return sent.current.key;
    },
    forget() {
      sent.current = null;
    },
  };
}
