import { VaultError } from "@cardvault/contract";
import { readPicture } from "@cardvault/core";
import type { Services } from "@cardvault/core";
import type { FastifyInstance } from "fastify";

interface PhotoRoute {
  Params: { id: string; size: string };
  Querystring: { s?: string | string[] };
}

/** Pictures by their signed addresses: whoever has the address sees the picture. */
export function registerPhotos(scope: FastifyInstance, services: Services): void {
  const { photoUrls } = services;
  scope.get<PhotoRoute>("/photos/:id/:size.webp", async (request, reply) => {
    const { id, size } = request.params;
    const signature = request.query.s;
    const isSigned = typeof signature === "string" && photoUrls.isSigned(id, size, signature);
    const picture = isSigned ? await readPicture(services, id, size) : null;
    if (picture === null) throw new VaultError("route_not_found");
    return reply
      .type("image/webp")
      .headers({
        "cache-control": "private, max-age=31536000, immutable",
        // Whoever has the address may show it: a storefront of the dealer's, a marketplace.
        "cross-origin-resource-policy": "cross-origin",
      })
      .send(picture);
  });
}
