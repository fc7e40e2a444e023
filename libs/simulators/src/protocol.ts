import type { IncomingHttpHeaders } from "node:http";
import { findInvented, inventedId, inventedSets } from "@cardvault/catalogue";
import { readMarker } from "./marker.ts";
import type { Marked } from "./marker.ts";
import type { FaultKind } from "./faults.ts";
import type { SimulatorStore } from "./store.ts";

export interface SimulatedRequest {
  readonly method: string;
  /** Behind the protocol's own folder. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Undefined: no body. */
  readonly json: unknown;
}

export interface AnswerContext {
  readonly store: SimulatorStore;
  /** What the answer itself has to do wrong: `wrong_card` or `hostile`. */
  readonly fault: FaultKind | null;
  /** When it is asked: what has been sold was sold shortly before. */
  readonly now: Date;
}

/** One third party: a folder of this room, and of the sandbox's paths. */
export interface Protocol {
  readonly name: string;
  /** The key that the request carries; "" where it carries none. Faults are told apart by it. */
  keyOf(request: SimulatedRequest): string;
  /** Null: no such path. */
  answer(request: SimulatedRequest, ctx: AnswerContext): Promise<SimulatedAnswer | null>;
  /** How this third party writes an error. */
  error(status: number, message: string, errorId?: number): SimulatedAnswer;
  /** What can be done with it by `/control/<name>…`; null: no such path. */
  control?(request: SimulatedRequest, ctx: AnswerContext): Promise<SimulatedAnswer | null>;
}

/** The moment that many days before, at the same time of the day. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

/** What a picture shows, with another card in its place where the fault asks for that. */
export async function lookAt(bytes: Uint8Array, fault: FaultKind | null): Promise<Marked | null> {
  const marked = await readMarker(bytes);
  if (marked === null || fault !== "wrong_card") return marked;
  const { set } = marked;
  const cardId = inventedId(set, (Number(marked.card.number) % set.total) + 1);
  const found = findInvented(cardId);
  return found === null ? marked : { outcome: "applied", cardId, ...found };
}

/** Another card of the same name's likeness: what a second opinion says of an ambiguous picture. */
export function rivalOf(marked: Marked): Marked {
  const sets = Object.values(inventedSets).filter((set) => set.kind === marked.set.kind);
  const set = sets.find((one) => one.code !== marked.set.code) ?? marked.set;
  const cardId = inventedId(set, (Number(marked.card.number) % set.total) + 1);
  const found = findInvented(cardId);
  return found === null ? marked : { ...marked, cardId, ...found };
}

/** A card's price in cents: by its rarity, and a little its own. */
export function typicalCents(cardId: string): number {
  const found = findInvented(cardId);
  const byRarity: Readonly<Record<string, number>> = {
    Common: 60,
    Uncommon: 180,
    Rare: 750,
    "Holo Rare": 2_600,
    "Secret Rare": 11_500,
  };
  const base = byRarity[found?.card.rarity ?? ""] ?? 100;
  return Math.round(base * (0.8 + (Number(found?.card.number ?? 0) % 10) * 0.05));
}

/** Names with scripts, numbers beyond reason and members that would change every object. */
export const hostile = {
  text: '<script>alert("x")</script><b>Charged\u0000 Serpent</b>\u202e',
  number: 1e308,
  /** As it stands in JSON: an object literal's `__proto__` would set its prototype here already. */
  members: JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  ) as Record<string, unknown>,
} as const;
