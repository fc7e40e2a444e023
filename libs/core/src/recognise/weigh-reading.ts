import { comparableName, nameLikeness, readNumber } from "@cardvault/catalogue";
import type { CatalogueFinding, NearCard } from "@cardvault/db";
import type { KnownFields } from "@cardvault/domain";
import type { CardReading, ReadNumber } from "@cardvault/recogniser";
import type { EngineCandidate } from "../identify/engines.ts";

/** A card of the catalogue whose number and total were read, and how well its name was. */
interface NumberedCard {
  read: ReadNumber;
  card: CatalogueFinding;
}

/** What there is to go by: what was read, and what is known that could be meant. */
export interface LocalEvidence {
  reading: Pick<CardReading, "nameLines" | "numbers" | "certificate">;
  /** Cards with a number and total that were read, whatever their name. */
  numbered: readonly NumberedCard[];
  /** Cards with a name like one that was read, whatever their number. */
  named: readonly CatalogueFinding[];
  /** The account's own confirmed cards that look like it, the nearest first. */
  near: readonly NearCard[];
}

/** Beyond it an unknown card can come as near: of 256 bits (measured: 44). */
export const mostHashDistance = 40;
/** A letter or two may be misread; another name is not. */
const sameNameLikeness = 0.65;
/** As near as that two confirmed cards cannot be told apart by their looks. */
const rivalDistance = 8;
const mostCandidates = 5;

/** How sure each agreement is. Below the account's threshold a person decides. */
const confidences = {
  /** Its looks, and number, total and name. */
  allAgree: 0.98,
  /** Number and total in at least two crops, and the name. */
  readTwice: 0.95,
  readOnce: 0.9,
  /** Its looks alone: a confirmed card of the account, and nothing that was read speaks against it. */
  looks: 0.9,
  /** Two signals that name different cards, or one that names several. */
  disputed: 0.6,
  /** A name alone, however well it was read: one character has a hundred printings. */
  nameAlone: 0.4,
} as const;

/**
 * The cards that a reading may mean, the likeliest first. Only independent signals that agree make it
 * sure: number, total and name with the catalogue, or its looks with a card that a person has confirmed.
 */
export function weighReading({ reading, numbered, named, near }: LocalEvidence): EngineCandidate[] {
  const read = readCards(reading, numbered);
  const looks = likelyLooks(near);
  const certificate = certificateIds(reading);
  const candidates = [...agreed(read, looks, reading), ...byName(reading, named)].map(
    (candidate) => ({
      ...candidate,
      externalIds: { ...candidate.externalIds, ...certificate },
    }),
  );
  const seen = new Set<string>();
  return candidates
    .toSorted((left, right) => right.confidence - left.confidence)
    .filter(({ fields }) => {
      const key = identityOf(fields);
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, mostCandidates);
}

/** Number, total and name agree: by how many crops. */
interface ReadCard {
  card: CatalogueFinding;
  printed: string;
  votes: number;
}

function readCards(
  { nameLines }: LocalEvidence["reading"],
  numbered: readonly NumberedCard[],
): ReadCard[] {
  const found = new Map<string, ReadCard>();
  for (const { read, card } of numbered) {
    const total = readNumber(read.printed)?.total ?? null;
    if (total === null || card.setTotal !== total) continue;
    if (nameWithin(nameLines, card.name) < sameNameLikeness) continue;
    const key = `${card.source}/${card.sourceId}`;
    const votes = Math.max(read.votes, found.get(key)?.votes ?? 0);
    found.set(key, { card, printed: read.printed, votes });
  }
  return [...found.values()].toSorted((left, right) => right.votes - left.votes);
}

/** The near ones that could be it: within the distance, and not much farther than the nearest. */
function likelyLooks(near: readonly NearCard[]): NearCard[] {
  const nearest = near[0]?.distance ?? Number.POSITIVE_INFINITY;
  return near.filter(
    ({ distance }) => distance <= mostHashDistance && distance <= nearest + rivalDistance,
  );
}

function agreed(
  read: readonly ReadCard[],
  looks: readonly NearCard[],
  reading: LocalEvidence["reading"],
): EngineCandidate[] {
  const seen = new Set(looks.map((one) => identityOf(fieldsOfNear(one))));
  const isOneLook = seen.size === 1;
  const isOneRead = read.length === 1;
  const byLooks = looks.map((one): EngineCandidate => {
    const fields = fieldsOfNear(one);
    const isRead = read.some(({ card, printed }) => isSameCard(fields, card, printed));
    const isContradicted = !isRead && (read.length > 0 || speaksAgainst(reading.numbers, fields));
    const isSure = isOneLook && !isContradicted;
    const confidence = isSure
      ? isRead && isOneRead
        ? confidences.allAgree
        : confidences.looks
      : confidences.disputed;
    return { confidence, fields, externalIds: {}, imageUrl: null };
  });
  const byReading = read.map(({ card, printed, votes }): EngineCandidate => {
    const isSeen = looks.some((one) => isSameCard(fieldsOfNear(one), card, printed));
    const isContradicted = looks.length > 0 && !isSeen;
    const alone = votes >= 2 ? confidences.readTwice : confidences.readOnce;
    const confidence =
      !isOneRead || isContradicted
        ? confidences.disputed
        : isSeen && isOneLook
          ? confidences.allAgree
          : alone;
    return candidateOf(card, confidence, printed);
  });
  // The catalogue's own words come first: they are complete.
  return [...byReading, ...byLooks];
}

function byName(
  { nameLines }: LocalEvidence["reading"],
  named: readonly CatalogueFinding[],
): EngineCandidate[] {
  return named
    .filter(({ name }) => nameWithin(nameLines, name) >= sameNameLikeness)
    .map((card) => candidateOf(card, confidences.nameAlone, null));
}

/** A number that was read at least twice, and is another than the card's. */
function speaksAgainst(numbers: readonly ReadNumber[], { number }: KnownFields): boolean {
  const own = readNumber(number ?? "");
  if (own === null) return false;
  const certain = numbers
    .filter(({ votes }) => votes >= 2)
    .map(({ printed }) => readNumber(printed));
  return certain.length > 0 && !certain.some((one) => one?.number === own.number);
}

function isSameCard(fields: KnownFields, card: CatalogueFinding, printed: string): boolean {
  const own = readNumber(fields.number ?? "");
  const isSameNumber = own === null || own.number === readNumber(printed)?.number;
  const isSameSet = fields.set == null || nameLikeness(fields.set, card.set) >= sameNameLikeness;
  const name = fields.subject ?? fields.title ?? "";
  return isSameNumber && isSameSet && nameWithin([name], card.name) >= sameNameLikeness;
}

/**
 * How well a name was read somewhere within the lines, 0 to 1: as many words in a row as it has are
 * compared with it, because stage, cost and damage stand on the same line.
 */
export function nameWithin(lines: readonly string[], name: string): number {
  const wanted = comparableName(name);
  const count = wanted.split(" ").length;
  let best = 0;
  for (const line of lines) {
    const words = comparableName(line).split(" ");
    for (let at = 0; at < words.length; at += 1) {
      // A word may have been read as two, or two as one.
      for (const length of [count, count + 1, count - 1]) {
        if (length < 1 || at + length > words.length) continue;
        best = Math.max(best, nameLikeness(words.slice(at, at + length).join(" "), wanted));
      }
    }
  }
  return best;
}

function candidateOf(
  card: CatalogueFinding,
  confidence: number,
  printed: string | null,
): EngineCandidate {
  const total = card.setTotal === null ? "" : `/${card.setTotal}`;
  const fields: KnownFields = {
    title: card.name,
    subject: card.name,
    game: card.game,
    set: card.set,
    setCode: card.setCode,
    number: printed ?? `${card.number}${total}`,
    year: card.year,
    rarity: card.rarity,
  };
  return { confidence, fields, externalIds: card.externalIds, imageUrl: card.imageUrl };
}

function fieldsOfNear(near: NearCard): KnownFields {
  const { title, game, set, setCode, number, year, rarity, language } = near;
  return { title, game, set, setCode, number, year, rarity, language };
}

function identityOf({ title, set, number }: KnownFields): string {
  return [title, set, readNumber(number ?? "")?.number]
    .map((part) => comparableName(part ?? ""))
    .join("|");
}

/** A slab's certificate stands beside what the card is; it says nothing of that. */
function certificateIds({ certificate }: LocalEvidence["reading"]): Record<string, string> {
  if (certificate === null) return {};
  return { [`${certificate.grader.toLowerCase()}_cert`]: certificate.certNumber };
}
