import type { BatchUpdate } from "@cardvault/contract";
import type { BatchPatch } from "@cardvault/domain";

/** What a request says of a batch, by the names of the rules. */
export function batchPatchFrom(given: Omit<BatchUpdate, "id">): BatchPatch {
  const { defaults, acquired_at: acquiredAt } = given;
  return {
    code: given.code,
    name: given.name,
    source: given.source,
    description: given.description,
    costBasis: given.cost_basis,
    acquiredAt: typeof acquiredAt === "string" ? new Date(acquiredAt) : acquiredAt,
    defaults: defaults && {
      set: defaults.set ?? null,
      game: defaults.game ?? null,
      condition: defaults.condition ?? null,
      language: defaults.language ?? null,
      location: defaults.location ?? null,
      priceFloor: defaults.price_floor ?? null,
    },
  };
}
