import { ProviderError } from "./provider-error.ts";

/**
 * `fetch` for a provider: follows no redirect, and reads the whole answer, at most so many bytes, before
 * it gives it on, so that neither a library above nor a schema ever meets one that has no end.
 * The base URL is the installation's own; what comes back is a stranger's.
 */
export function boundedFetch(options: {
  maxAnswerBytes: number;
  signal: AbortSignal;
}): typeof globalThis.fetch {
  const { maxAnswerBytes, signal } = options;
  return async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, signal, redirect: "error" });
    const body = await readUpTo(response, maxAnswerBytes);
    return new Response(isBodiless(response.status) ? null : body, {
      status: response.status,
      headers: plainHeaders(response.headers),
    });
  };
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    length += next.value.length;
    if (length > maxBytes) {
      await reader?.cancel();
      throw new ProviderError("malformed_answer", { detail: `More than ${maxBytes} bytes.` });
    }
    chunks.push(next.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The body is unpacked by now. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"])
    plain.delete(name);
  return plain;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
