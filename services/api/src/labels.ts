import { maxBodyBytes, VaultError } from "@cardvault/contract";
import { accessOf, labelDocument } from "@cardvault/core";
import type { FastifyInstance } from "fastify";
import { checkedContext } from "./trpc.ts";
import type { TrpcOptions } from "./trpc.ts";

/**
 * `POST /inventory/labels`: a document of labels, drawn while it is sent. For sessions alone: the account
 * that the request names is checked against membership, and the origin must be our own.
 */
export function registerLabels(scope: FastifyInstance, options: TrpcOptions): void {
  scope.post("/inventory/labels", { bodyLimit: maxBodyBytes }, async (request, reply) => {
    void reply.header("cache-control", "no-store");
    const { principal } = await checkedContext(options, request);
    if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
    if (principal.kind === "person") throw new VaultError("not_found");
    const { contentType, fileName, body } = await labelDocument(
      options.services,
      accessOf(principal),
      request.body,
    );
    return reply
      .type(contentType)
      .header("content-disposition", `attachment; filename="${fileName}"`)
      .send(body);
  });
}
