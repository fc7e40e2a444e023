import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Something that stays the same while the process runs. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  packed: Buffer;
  tag: string;
}

export function staticFile(type: string, content: string | Buffer): StaticFile {
  const plain = Buffer.from(content);
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, plain, packed: gzipSync(plain), tag };
}

/** Answers 304 to whoever has it, and packs it for whoever can unpack it. */
export function sendFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
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
