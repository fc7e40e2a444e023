import { inventedCard, inventedId } from "@cardvault/catalogue";
import { keepPicture } from "@cardvault/core";
import type { EngineAnswer, Engines } from "@cardvault/core";
import { drawDemoCard } from "../draw-pictures.ts";
import { faceHash } from "../face-hash.ts";
import type { DemoCard } from "../inventory.ts";
import type { WrittenCard } from "../write-inventory.ts";
import { inThePast } from "./date-back.ts";
import { minuteMs } from "./shop.ts";
import type { Shop } from "./shop.ts";

/** How the cards of the queue came into it. */
const reasons = [
  "unsure",
  "unsure",
  "two",
  "unsure",
  "nothing",
  "valuable",
  "unsure",
  "two",
  "valuable",
  "unsure",
] as const;
type Reason = (typeof reasons)[number];

/** The engines of the past: they are told which card is shown, and how sure they are to be. */
export interface PastEngines {
  readonly engines: Pick<Engines, "identification">;
  show(card: DemoCard, reason: Reason): void;
}

const callMicros = { cardsight: 9_000, google: 2_400 } as const;

export function pastEngines(): PastEngines {
  let shown: { card: DemoCard; reason: Reason } | undefined;
  const engine = (
    name: keyof typeof callMicros,
    provider: Engines["identification"][number]["provider"],
  ): Engines["identification"][number] => ({
    name,
    provider,
    isPaid: true,
    callMicros: callMicros[name],
    identify: () =>
      Promise.resolve({
        candidates: shown === undefined ? [] : candidatesOf(shown.card, shown.reason, provider),
        unreadable: [],
        costMicros: callMicros[name],
      }),
  });
  return {
    engines: {
      identification: [engine("cardsight", "image_recognition"), engine("google", "generative_ai")],
    },
    show(card, reason) {
      shown = { card, reason };
    },
  };
}

/** The card itself and its neighbours in the set, as sure as the reason asks for. */
function candidatesOf(
  card: DemoCard,
  reason: Reason,
  provider: Engines["identification"][number]["provider"],
): EngineAnswer["candidates"] {
  const number = Number.parseInt(card.number, 10);
  const roll = card.face.seed % 10;
  const isImage = provider === "image_recognition";
  switch (reason) {
    case "nothing":
      return [];
    case "valuable":
      return [candidate(card, number, 0.97)];
    case "two":
      return [candidate(card, number, 0.9), candidate(card, neighbour(card, number, 1), 0.89)];
    case "unsure":
      // Two that agree are sure together: the other one sees nothing.
      return isImage
        ? [
            candidate(card, number, 0.62 + roll / 80),
            candidate(card, neighbour(card, number, 1), 0.44),
            candidate(card, neighbour(card, number, 7), 0.31),
          ]
        : [];
  }
}

function neighbour({ set }: DemoCard, number: number, away: number): number {
  return ((number + away - 1) % set.total) + 1;
}

function candidate(
  { set }: DemoCard,
  number: number,
  confidence: number,
): EngineAnswer["candidates"][number] {
  const known = inventedCard(set, number);
  return {
    confidence,
    fields: {
      title: known.name,
      subject: known.name,
      game: known.game,
      set: known.set,
      setCode: known.setCode,
      number: `${number}/${set.total}`,
      year: known.year,
      rarity: known.rarity,
      team: known.team,
    },
    externalIds: { invented: inventedId(set, number) },
    imageUrl: null,
  };
}

/**
 * The queue of cards that a person decides about: identified this morning, by engines that were not sure,
 * found nothing, or found what is worth more than the account lets pass.
 */
export async function writeReviews(shop: Shop, past: PastEngines): Promise<void> {
  const { owner, now } = shop;
  const unknown = shop.cards.filter(({ card }) => card.title === null);
  const valuable = [...unknown].sort(byCost);
  const plain = unknown.toReversed().filter((one) => !valuable.slice(0, 2).includes(one));
  await inThePast(shop, async () => {
    const times = new Map<string, Date>();
    for (const [index, reason] of reasons.entries()) {
      const chosen = reason === "valuable" ? valuable.shift() : plain.shift();
      if (chosen === undefined) continue;
      await keepFront(shop, chosen);
      past.show(chosen.card, reason);
      // Both kinds of provider failing is an answer too: the card waits for a person.
      await owner.identifications.identify({ card_id: chosen.id }).catch((error: unknown) => {
        if (reason !== "nothing") throw error;
      });
      times.set(chosen.id, new Date(now.getTime() - (190 - index * 9) * minuteMs));
    }
    return times;
  });
}

const byCost = (one: WrittenCard, other: WrittenCard): number =>
  other.card.purchasePriceCents - one.card.purchasePriceCents;

/** An identification looks at the picture, which the others get only once the service runs. */
async function keepFront({ services, access }: Shop, { card }: WrittenCard): Promise<void> {
  const bytes = await drawDemoCard(card);
  const file = { bytes, contentHash: faceHash(card), byteSize: bytes.length };
  await keepPicture(services, access.accountId, file, () => Promise.resolve());
}
