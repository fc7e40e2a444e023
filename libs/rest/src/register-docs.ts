import { VaultError, eventJsonSchemas, eventSchemaPath, eventTypes } from "@cardvault/contract";
import { assets } from "@cardvault/guides";
import { fastify as createFastify } from "fastify";
import type { FastifyInstance } from "fastify";
import type { oas31 } from "zod-openapi";
import { page, startScript, style } from "./docs-page.ts";
import { sendFile, staticFile } from "./static-file.ts";
import type { StaticFile } from "./static-file.ts";

const script = "application/javascript; charset=utf-8";
const styleSheet = "text/css; charset=utf-8";

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
  return staticFile(script, rawPayload);
}

/** Serves the API description, the schema of each event, and the page that shows them. */
export function registerDocs(fastify: FastifyInstance, document: oas31.OpenAPIObject): void {
  const json = "application/json; charset=utf-8";
  let reference: Promise<StaticFile> | undefined;
  const files = new Map<string, StaticFile>([
    ["/openapi.json", staticFile(json, JSON.stringify(document))],
    ["/docs", staticFile("text/html; charset=utf-8", page)],
    ["/docs/start.js", staticFile(script, startScript)],
    ["/docs/reference.css", staticFile(styleSheet, style)],
  ]);
  for (const [name, content] of Object.entries(assets)) {
    files.set(`/docs/${name}`, staticFile(name.endsWith(".css") ? styleSheet : script, content));
  }
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
