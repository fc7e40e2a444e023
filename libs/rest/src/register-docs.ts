import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { VaultError, eventJsonSchemas, eventSchemaPath, eventTypes } from "@cardvault/contract";
import { fastify as createFastify } from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { oas31 } from "zod-openapi";
import { page, startScript, style } from "./docs-page.ts";

interface StaticFile {
  type: string;
  plain: Buffer;
  packed: Buffer;
  tag: string;
}

function staticFile(type: string, content: string | Buffer): StaticFile {
  const plain = Buffer.from(content);
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, plain, packed: gzipSync(plain), tag };
}

function sendFile(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers({
    etag: file.tag,
    vary: "accept-encoding",
    "cache-control": "public, no-cache",
  });
  if (request.headers["if-none-match"] === file.tag) return reply.code(304).send();
  void reply.type(file.type);
  return request.headers["accept-encoding"]?.includes("gzip") === true
    ? reply.header("content-encoding", "gzip").send(file.packed)
    : reply.send(file.plain);
}

/**
 * The bundle of Scalar's reference page. Its Fastify plugin is the only way to it, and would serve a
 * page with an inline script; it is loaded on the first visit, since it is 4 MB of text.
 */
async function loadReference(): Promise<StaticFile> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const carrier = createFastify();
  await carrier.register(plugin, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
  const { rawPayload, statusCode } = await carrier.inject("/docs/js/scalar.js");
  await carrier.close();
  if (statusCode !== 200) throw new VaultError("internal_error");
  return staticFile("application/javascript; charset=utf-8", rawPayload);
}

/** Serves the API description, the schema of each event, and the page that shows them. */
export function registerDocs(fastify: FastifyInstance, document: oas31.OpenAPIObject): void {
  const json = "application/json; charset=utf-8";
  let reference: Promise<StaticFile> | undefined;
  const files = new Map<string, StaticFile>([
    ["/openapi.json", staticFile(json, JSON.stringify(document))],
    ["/docs", staticFile("text/html; charset=utf-8", page)],
    ["/docs/start.js", staticFile("application/javascript; charset=utf-8", startScript)],
    ["/docs/house.css", staticFile("text/css; charset=utf-8", style)],
  ]);
  const schemas = eventJsonSchemas();
  for (const name of eventTypes) {
    files.set(
      eventSchemaPath(name),
      staticFile("application/schema+json; charset=utf-8", JSON.stringify(schemas[name])),
    );
  }
  for (const [path, file] of files) {
    fastify.get(path, (request, reply) => sendFile(file, request, reply));
  }
  fastify.get("/docs/reference.js", async (request, reply) => {
    reference ??= loadReference();
    return sendFile(await reference, request, reply);
  });
}
