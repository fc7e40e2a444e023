import { eventTypes } from "@cardvault/contract";
import type { VaultEvent as ContractEvent } from "@cardvault/contract";
import { expect, expectTypeOf, it } from "vitest";
import type { EventName, VaultEvent } from "./events.ts";

/** Each member of the union made flat, so that an intersection compares like a plain object. */
type Flat<Value> = Value extends object ? { [Key in keyof Value]: Flat<Value[Key]> } : Value;

it("has the contract's types, which the type check compares", () => {
  expectTypeOf<Flat<VaultEvent>>().toEqualTypeOf<Flat<ContractEvent>>();
  const names: Record<EventName, true> = {
    "card.identified": true,
    "card.priced": true,
    "card.workflow_status_changed": true,
    "listing.published": true,
    "listing.sold": true,
    "listing.ended": true,
    "batch.completed": true,
    "identify.failed": true,
  };
  expect(Object.keys(names)).toEqual(eventTypes);
});
