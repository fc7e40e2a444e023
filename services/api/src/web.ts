import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VaultError } from "@cardvault/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** The pages of the web app (contract, endpoints): these paths and no other answer with it. */
const pagePaths = [
  "/",
  "/sign-in",
  "/auth/invite",
  "/auth/reset",
  "/inventory",
  "/inventory/*",
  "/review",
  "/move",
  "/import",
  "/import/*",
  "/sales",
  "/events",
  "/events/*",
  "/jobs",
  "/settings",
  "/settings/*",
];

/** Serves the built web app: one page for all its paths, and its files, whose names change with what is in them. */
export async function registerWeb(scope: FastifyInstance, folder: string): Promise<void> {
  const indexFile = join(folder, "index.html");
  if (!existsSync(indexFile)) {
    scope.log.warn("The web app is not built: its pages answer 404");
    return;
  }
  const page = readFileSync(indexFile);
  for (const path of pagePaths) {
    scope.get(path, (_request, reply) =>
      reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page),
    );
  }
  await scope.register(async (files) => {
    // What is no path of a file here is not there, however it tries to climb.
    files.setErrorHandler((error: Error & { status?: unknown; statusCode?: unknown }) => {
      const status = error.statusCode ?? error.status;
      const isRefused = status === 400 || status === 403;
      throw isRefused ? new VaultError("route_not_found", { cause: error }) : error;
    });
    await files.register(fastifyStatic, {
      root: join(folder, "assets"),
      prefix: "/assets/",
      index: false,
      immutable: true,
      maxAge: "365d",
    });
  });
  const icon = join(folder, "favicon.ico");
  if (existsSync(icon)) {
    const bytes = readFileSync(icon);
    scope.get("/favicon.ico", (_request, reply) =>
      reply.type("image/x-icon").header("cache-control", "public, max-age=86400").send(bytes),
    );
  }
}
