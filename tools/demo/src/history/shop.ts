import { appRouter, createCallerFactory } from "@cardvault/core";
import type { Access, PricedThing, Services, SessionPrincipal } from "@cardvault/core";
import { newId } from "@cardvault/kit";
import type { Random } from "../random.ts";
import type { WrittenCard } from "../write-inventory.ts";

const createCaller = createCallerFactory(appRouter);

/** The demonstration account while its past is written: the owner works in it, by the pages' own procedures. */
export interface Shop {
  readonly services: Services;
  readonly access: Access;
  readonly owner: ReturnType<typeof createCaller>;
  readonly cards: readonly WrittenCard[];
  readonly random: Random;
  /** When it is written, and so the end of the past. */
  readonly now: Date;
}

export function openShop(
  services: Services,
  owner: Pick<SessionPrincipal, "userId" | "userName" | "userEmail">,
  rest: Omit<Shop, "services" | "owner">,
): Shop {
  const { accountId, environment, currency } = rest.access;
  const principal: SessionPrincipal = {
    kind: "session",
    ...owner,
    accountId,
    environment,
    currency,
    role: "owner",
    isOperator: false,
    isSuspended: false,
  };
  return {
    services,
    owner: createCaller({ services, principal, requestId: newId("req") }),
    ...rest,
  };
}

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** Some of a list, the same at every start. */
export function someOf<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  const rest = [...items];
  const some: Item[] = [];
  while (some.length < count && rest.length > 0) {
    const [one] = rest.splice(random.between(0, rest.length - 1), 1);
    if (one !== undefined) some.push(one);
  }
  return some;
}

/** By what a price source recognises a card. */
export function keyOf({ title, number }: Pick<PricedThing["fields"], "title" | "number">): string {
  return `${title ?? ""} ${(number ?? "").split("/")[0]}`;
}
