import type { FastifyRequest } from "fastify";

/** The headers of a request in the form that the web's own interfaces take. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  // The body is given as it was decoded.
  headers.delete("content-length");
  headers.delete("transfer-encoding");
  return headers;
}
