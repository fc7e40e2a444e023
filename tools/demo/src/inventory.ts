import { inventedCard } from "@cardvault/catalogue";
import type { Condition } from "@cardvault/contract";
import { createRandom, type Random } from "./random.ts";
import { demoSets, rarities, type DemoSet } from "./sets.ts";

/** A batch of the demonstration shop, before it is written. */
export interface DemoBatch {
  readonly name: string;
  readonly source: string;
  readonly description: string;
  readonly acquiredDaysAgo: number;
  readonly costCents: number;
  readonly complete: boolean;
  readonly cards: readonly DemoCard[];
}

/** A card of the demonstration shop. `title` is null while it is not identified. */
export interface DemoCard {
  readonly face: DemoFace;
  readonly title: string | null;
  readonly set: DemoSet;
  readonly number: string;
  readonly subject: string;
  readonly team: string | null;
  readonly rarity: string;
  readonly variant: string | null;
  readonly isRookie: boolean;
  readonly condition: Condition | null;
  readonly grading: { grader: string; grade: string; certNumber: string } | null;
  readonly quantity: number;
  readonly askingPriceCents: number | null;
  readonly purchasePriceCents: number;
  readonly location: string | null;
  readonly photographed: boolean;
  /** Minutes after the batch came in. */
  readonly ageOffsetMinutes: number;
}

/** What the drawn picture shows, also of a card that is not identified yet. */
interface DemoFace {
  readonly title: string;
  readonly foil: boolean;
  readonly seed: number;
}

interface Plan {
  readonly name: string;
  readonly source: string;
  readonly description: string;
  readonly sets: readonly DemoSet[];
  readonly cards: number;
  readonly acquiredDaysAgo: number;
  readonly complete: boolean;
  /** Shares of the cards that got as far as identified, priced and photographed. */
  readonly identified: number;
  readonly priced: number;
  readonly photographed: number;
  readonly box: string;
}

const plans: readonly Plan[] = [
  {
    name: "Estate sale, Mill Street",
    source: "Estate sale",
    description: "Three binders and a shoe box, mostly Heritage Nine.",
    sets: [demoSets.heritageNine],
    cards: 64,
    acquiredDaysAgo: 51,
    complete: true,
    identified: 1,
    priced: 1,
    photographed: 0.55,
    box: "A1",
  },
  {
    name: "Ember Coast case break",
    source: "Distributor",
    description: "Two cases, commons culled.",
    sets: [demoSets.emberCoast],
    cards: 86,
    acquiredDaysAgo: 37,
    complete: true,
    identified: 1,
    priced: 0.96,
    photographed: 0.4,
    box: "A2",
  },
  {
    name: "Trade-in, Ines K.",
    source: "Trade-in",
    description: "Store credit for a player who is leaving the game.",
    sets: [demoSets.glassTides, demoSets.firstLight],
    cards: 52,
    acquiredDaysAgo: 24,
    complete: false,
    identified: 1,
    priced: 0.8,
    photographed: 0.2,
    box: "B1",
  },
  {
    name: "Rookies, spring show",
    source: "Card show",
    description: "Bought at the spring show, table 41.",
    sets: [demoSets.coastalRookies],
    cards: 70,
    acquiredDaysAgo: 15,
    complete: false,
    identified: 0.92,
    priced: 0.62,
    photographed: 0.1,
    box: "C1",
  },
  {
    name: "Hollow Crown release",
    source: "Distributor",
    description: "First box of the release.",
    sets: [demoSets.hollowCrown],
    cards: 58,
    acquiredDaysAgo: 6,
    complete: false,
    identified: 0.7,
    priced: 0.35,
    photographed: 0,
    box: "B2",
  },
  {
    name: "Mixed lot from the counter",
    source: "Counter",
    description: "Bought over the counter this week, not sorted yet.",
    sets: [demoSets.firstLight, demoSets.emberCoast, demoSets.heritageNine],
    cards: 40,
    acquiredDaysAgo: 1,
    complete: false,
    identified: 0.15,
    priced: 0.05,
    photographed: 0,
    box: "IN",
  },
];

const conditionWeights: readonly [Condition, number][] = [
  ["near_mint", 62],
  ["lightly_played", 22],
  ["moderately_played", 10],
  ["heavily_played", 4],
  ["damaged", 2],
];

/** The whole demonstration shop: six batches, 370 cards, the same at every start. */
export function demoInventory(): DemoBatch[] {
  const random = createRandom(20_240_611);
  return plans.map((plan) => {
    const taken = new Set<string>();
    const cards: DemoCard[] = [];
    for (let index = 0; index < plan.cards; index += 1) {
      cards.push(demoCard(random, plan, index, taken));
    }
    return {
      name: plan.name,
      source: plan.source,
      description: plan.description,
      acquiredDaysAgo: plan.acquiredDaysAgo,
      costCents: cards.reduce((sum, card) => sum + card.purchasePriceCents * card.quantity, 0),
      complete: plan.complete,
      cards,
    };
  });
}

function demoCard(random: Random, plan: Plan, index: number, taken: Set<string>): DemoCard {
  const set = random.pick(plan.sets);
  const number = freeNumber(random, set, taken);
  const known = inventedCard(set, number);
  const rarity = rarities.find(({ name }) => name === known.rarity) ?? rarities[0];
  const foil = rarity.name === "Holo Rare" || rarity.name === "Secret Rare";
  const { name: subject, isRookie } = known;
  const progress = (index + 0.5) / plan.cards;
  const identified = progress < plan.identified;
  const priced = progress < plan.priced;
  const value = price(
    random,
    rarity.typicalCents * (isRookie ? 1.8 : 1) * (set.year < 2000 ? 2.2 : 1),
  );
  const graded = identified && value > 4_000 && random.chance(0.5);
  return {
    face: { title: subject, foil, seed: random.between(1, 2 ** 31) },
    title: identified ? subject : null,
    set,
    number: `${number}/${set.total}`,
    subject,
    team: known.team,
    rarity: rarity.name,
    variant: foil && random.chance(0.3) ? "Reverse Holo" : null,
    isRookie,
    condition: identified && !graded ? weighted(random, conditionWeights) : null,
    grading: graded
      ? {
          grader: random.pick(["PSA", "BGS", "CGC"]),
          grade: random.pick(["8", "8.5", "9", "9.5", "10"]),
          certNumber: String(random.between(40_000_000, 89_999_999)),
        }
      : null,
    quantity: rarity.name === "Common" && random.chance(0.3) ? random.between(2, 6) : 1,
    askingPriceCents: priced ? value : null,
    // Bought at a third to two thirds of what it is worth.
    purchasePriceCents: Math.max(5, Math.round(value * (0.3 + random.next() * 0.35))),
    location: identified
      ? `${plan.box}-${String(1 + Math.floor(index / 20)).padStart(2, "0")}`
      : null,
    photographed: progress < plan.photographed,
    ageOffsetMinutes: index * random.between(2, 5),
  };
}

function freeNumber(random: Random, set: DemoSet, taken: Set<string>): number {
  for (;;) {
    const number = random.between(1, set.total);
    const key = `${set.code}-${number}`;
    if (!taken.has(key)) {
      taken.add(key);
      return number;
    }
  }
}

function weighted<T>(random: Random, entries: readonly (readonly [T, number])[]): T {
  const whole = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let rest = random.next() * whole;
  for (const [value, weight] of entries) {
    rest -= weight;
    if (rest < 0) return value;
  }
  throw new RangeError("The weights are empty.");
}

/** Spreads a typical price and rounds it the way dealers do: to 0.25, 0.49 or 0.99. */
function price(random: Random, typicalCents: number): number {
  const spread = typicalCents * Math.exp((random.next() + random.next() - 1) * 0.9);
  if (spread < 100) return Math.max(25, Math.round(spread / 25) * 25);
  const dollars = Math.floor(spread / 100);
  return dollars * 100 + (spread % 100 < 50 && dollars < 10 ? 49 : 99);
}
