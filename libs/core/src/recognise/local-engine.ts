import { comparableName, readNumber } from "@cardvault/catalogue";
import { findAccount, findCatalogueByNumber, findNearCards, searchCatalogue } from "@cardvault/db";
import type { CatalogueFinding, Database } from "@cardvault/db";
import { asDigits, RecogniserBusyError } from "@cardvault/recogniser";
import type { CardReading, ReadNumber, Recogniser } from "@cardvault/recogniser";
import { scopeOf } from "../catalogue/search-catalogue.ts";
import { EngineError } from "../identify/engines.ts";
import type { EngineAnswer, EnginePicture, IdentificationEngine } from "../identify/engines.ts";
import { mostHashDistance, weighReading } from "./weigh-reading.ts";
import type { LocalEvidence } from "./weigh-reading.ts";

export interface LocalEngineNeeds {
  db: Database;
  recogniser: Recogniser;
}

const engineName = "local";
/** A reading that needs more has understood nothing. */
const mostNumbers = 4;
const mostNumbered = 500;
const mostNamed = 5;
const mostNear = 5;
/** pg_trgm compares groups of three. */
const shortestWord = 3;
const mostWords = 8;
const busyRetryMs = 5_000;

/**
 * Identifies a card from its photo on this machine: by its number, total and name against the catalogue,
 * by its looks against the account's own confirmed cards, and by the code of its slab. No third party is
 * asked, and nothing is fetched.
 */
export function localEngine({ db, recogniser }: LocalEngineNeeds): IdentificationEngine {
  return {
    name: engineName,
    provider: "image_recognition",
    isPaid: false,
    async identify({ pictures, game, accountId }, signal): Promise<EngineAnswer> {
      const reading = await readPictures(recogniser, pictures, signal);
      if (reading === null) return { candidates: [], unreadable: [], costMicros: 0 };
      const account = await findAccount(db, accountId);
      const scope = { ...scopeOf({ environment: account?.environment ?? "live" }), game };
      const evidence: LocalEvidence = {
        reading,
        numbered: await numberedCards(db, scope, reading),
        named: await namedCards(db, scope, reading),
        near: await findNearCards(db, accountId, reading.hashes, {
          mostDistance: mostHashDistance,
          limit: mostNear,
        }),
      };
      return {
        candidates: weighReading(evidence),
        unreadable: reading.numbers.length === 0 ? ["number"] : [],
        costMicros: 0,
      };
    },
  };
}

type Scope = ReturnType<typeof scopeOf> & { game?: string | undefined };

/** The front says what the card is; its number may stand on the back, and so may a slab's code. */
async function readPictures(
  recogniser: Recogniser,
  pictures: readonly EnginePicture[],
  signal: AbortSignal,
): Promise<CardReading | null> {
  try {
    const [front, back] = pictures;
    if (front === undefined) return null;
    const reading = await recogniser.read(front.bytes, signal);
    if (back === undefined || back.side !== "back" || reading.numbers.length > 0) return reading;
    const { numbers, certificate, nameLines } = await recogniser.read(back.bytes, signal);
    return {
      ...reading,
      numbers,
      nameLines: [...reading.nameLines, ...nameLines],
      certificate: reading.certificate ?? certificate,
    };
  } catch (error) {
    if (error instanceof RecogniserBusyError) {
      throw new EngineError("rate_limited", {
        isOutage: true,
        retryAfterMs: busyRetryMs,
        cause: error,
      });
    }
    if (signal.aborted) throw new EngineError("timeout", { isTimeout: true, cause: error });
    throw new EngineError("unreadable_picture", { cause: error });
  }
}

/** Cards with a number that was read, as it stands and with letters taken for digits. */
async function numberedCards(
  db: Database,
  scope: Scope,
  { numbers, nameLines }: CardReading,
): Promise<LocalEvidence["numbered"]> {
  const found = [];
  for (const read of variants(numbers).slice(0, mostNumbers * 2)) {
    const number = readNumber(read.printed);
    if (number === null) continue;
    const cards = await findCatalogueByNumber(db, {
      ...scope,
      name: comparableName(nameLines[0] ?? ""),
      number: number.number,
      limit: mostNumbered,
    });
    found.push(...cards.map((card) => ({ read, card })));
  }
  return found;
}

function variants(numbers: readonly ReadNumber[]): ReadNumber[] {
  const known = new Set(numbers.map(({ printed }) => printed));
  return numbers.slice(0, mostNumbers).flatMap((read) => {
    const printed = asDigits(read.printed);
    return known.has(printed) ? [read] : [read, { ...read, printed }];
  });
}

async function namedCards(
  db: Database,
  scope: Scope,
  { nameLines }: CardReading,
): Promise<CatalogueFinding[]> {
  const words = comparableName(nameLines[0] ?? "")
    .split(" ")
    .filter((word) => word.length >= shortestWord)
    .slice(0, mostWords);
  if (words.length === 0) return [];
  return searchCatalogue(db, { ...scope, words, number: null, total: null, limit: mostNamed });
}
