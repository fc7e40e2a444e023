import { request as sendRequest } from "undici";
import { ProviderError } from "./provider-error.ts";

/**
 * `fetch` for a provider: follows no redirect, takes no packed answer, and reads the whole answer, at most
 * so many bytes, before it gives it on, so that neither a library above nor a schema ever meets one that
 * has no end. The base URL is the installation's own; what comes back is a stranger's.
 *
 * It is made of undici's `request`: the platform's own `fetch` can leave a rejection that nobody can
 * catch when a body that is still coming is given up, and one hostile answer would end the process.
 */
export function boundedFetch(options: {
  maxAnswerBytes: number;
  signal: AbortSignal;
}): typeof globalThis.fetch {
  const { maxAnswerBytes, signal } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    const sent = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const { statusCode, headers, body } = await sendRequest(request.url, {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), "accept-encoding": "identity" },
      body: sent,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const read = await readUpTo(body, maxAnswerBytes);
    return new Response(isBodiless(statusCode) ? null : read, {
      status: statusCode,
      headers: plainHeaders(headers),
    });
  };
}

interface AnswerBody extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
  on(event: "error", listener: () => void): unknown;
}

async function readUpTo(body: AnswerBody, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Giving a body up is an error of its own, which is no news.
  body.on("error", () => undefined);
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) {
      body.destroy();
      throw new ProviderError("malformed_answer", { detail: `More than ${maxBytes} bytes.` });
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Of the answer as it is given on: its length and how it came are other things. */
function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const plain = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (["content-encoding", "content-length", "transfer-encoding"].includes(name)) continue;
    for (const one of typeof value === "string" ? [value] : (value ?? [])) plain.append(name, one);
  }
  return plain;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
