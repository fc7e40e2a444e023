import { identifyProviders } from "@cardvault/contract";
import type { CatalogueVerdict, IdentifyProvider, ReviewReason } from "@cardvault/contract";
import { identificationFieldNames } from "../card/state.ts";
import type { Grading, IdentificationFields } from "../card/state.ts";
import { likenessOf, plain } from "./same-card.ts";
import type { KnownFields } from "./same-card.ts";

/** One card that one provider thinks it sees, checked against the catalogue. */
export type Finding = {
  provider: IdentifyProvider;
  /** Which of the providers of its kind: `local`, `cardsight`, a model's name. */
  engine: string;
  /** 0..1 */
  confidence: number;
  fields: KnownFields;
  externalIds: Readonly<Record<string, string>>;
  imageUrl: string | null;
  /** What it reads off a slab; null where it sees none. */
  grading?: Grading | null | undefined;
  catalogue: CatalogueVerdict;
};

/** Findings of the same card, as one. */
export type RankedCandidate = Finding & {
  /** Who found it, each once, the leading one first. */
  engines: readonly string[];
  /** How sure each of them was by itself. */
  own: Readonly<Record<string, number>>;
  /** Two of them read different grades: whatever a third says, a person looks at the slab. */
  isGradingDisputed: boolean;
};

/** What an identification came to, before the card is looked at. */
export type IdentificationVerdict = {
  /** At most five, the likeliest first. */
  candidates: readonly RankedCandidate[];
  leader: RankedCandidate | null;
  /** Why the leader is not to be applied although it may be confident enough. */
  doubt: Extract<ReviewReason, "ambiguous" | "unreadable"> | undefined;
  /** The leader may be applied. */
  isSure: boolean;
};

const mostCandidates = 5;
/** No agreement makes anybody certain. */
const mostConfidence = 0.99;
/** Another card so near to the leader makes the choice a person's. */
const ambiguityMargin = 0.05;
/** What image recognition saw with at least this is not overruled by a model's word alone. */
const leastSeen = 0.5;
/** Below it nobody takes another card for a likely one. */
const leastRival = 0.7;

/**
 * Merges what the providers found and ranks it. Two providers that see the same card by themselves are
 * surer together than each alone (the product of their doubts); one that only does not contradict adds
 * what it knows and no confidence.
 * @param threshold 0..1, below which nothing is applied
 */
export function rankFindings(
  findings: readonly Finding[],
  threshold: number,
): IdentificationVerdict {
  const merged: RankedCandidate[] = [];
  for (const finding of findings.toSorted(byRank)) {
    const at = merged.findIndex(
      (one) => !one.engines.includes(finding.engine) && isMergeable(one, finding),
    );
    const known = merged[at];
    const own = { [finding.engine]: finding.confidence };
    const alone = { engines: [finding.engine], own, isGradingDisputed: false };
    if (known === undefined) merged.push({ ...finding, ...alone });
    else merged[at] = mergedWith(known, finding);
  }
  const candidates = merged.toSorted(byRank).slice(0, mostCandidates);
  const leader = candidates[0] ?? null;
  const doubt = leader === null ? undefined : doubtOf(leader, candidates.slice(1));
  const isSure = leader !== null && doubt === undefined && leader.confidence >= threshold;
  return { candidates, leader, doubt, isSure };
}

function byRank(left: Finding, right: Finding): number {
  return (
    right.confidence - left.confidence ||
    identifyProviders.indexOf(left.provider) - identifyProviders.indexOf(right.provider)
  );
}

function isMergeable(left: Finding, right: Finding): boolean {
  return likenessOf(left.fields, right.fields) !== "different";
}

function mergedWith(known: RankedCandidate, more: Finding): RankedCandidate {
  const isSame = likenessOf(known.fields, more.fields) === "same";
  const together = 1 - (1 - known.confidence) * (1 - more.confidence);
  const confidence = isSame
    ? Math.max(known.confidence, Math.min(together, mostConfidence))
    : known.confidence;
  return {
    ...known,
    confidence: Math.round(confidence * 1e4) / 1e4,
    fields: filledFrom(known.fields, more.fields),
    externalIds: { ...more.externalIds, ...known.externalIds },
    imageUrl: known.imageUrl ?? more.imageUrl,
    ...agreedGrading(known, more),
    catalogue: known.catalogue === "not_checked" ? more.catalogue : known.catalogue,
    engines: [...known.engines, more.engine],
    own: { ...known.own, [more.engine]: more.confidence },
  };
}

/** Two that read different grades off one slab leave it to a person; a number that only one reads is taken. */
function agreedGrading(
  { grading: known, isGradingDisputed }: RankedCandidate,
  { grading: more }: Finding,
): Pick<RankedCandidate, "grading" | "isGradingDisputed"> {
  if (isGradingDisputed) return { grading: null, isGradingDisputed };
  if (!known || !more) return { grading: known ?? more ?? null, isGradingDisputed };
  const isOne =
    plain(known.grader) === plain(more.grader) &&
    known.grade === more.grade &&
    isOneOrUnknown(known.qualifier, more.qualifier);
  if (!isOne) return { grading: null, isGradingDisputed: true };
  const { certNumber, qualifier } = known;
  const isOneSlab = isOneOrUnknown(certNumber, more.certNumber);
  return {
    grading: {
      ...known,
      certNumber: isOneSlab ? (certNumber ?? more.certNumber) : null,
      qualifier: qualifier ?? more.qualifier,
    },
    isGradingDisputed,
  };
}

function isOneOrUnknown(left: string | null, right: string | null): boolean {
  return left === null || right === null || plain(left) === plain(right);
}

function filledFrom(fields: KnownFields, more: KnownFields): KnownFields {
  const filled: Record<string, unknown> = {};
  for (const name of identificationFieldNames) filled[name] = fields[name] ?? more[name] ?? null;
  return filled;
}

/** A name without number and set is no identification. Cards that look alike are for a person. */
function doubtOf(
  leader: RankedCandidate,
  others: readonly RankedCandidate[],
): IdentificationVerdict["doubt"] {
  const { title, set, setCode, number } = leader.fields;
  if (plain(title) === "") return "unreadable";
  if (plain(number) === "" && plain(set) === "" && plain(setCode) === "") return "unreadable";
  if (leader.catalogue === "several") return "ambiguous";
  return others.some((one) => isRival(leader, one)) ? "ambiguous" : undefined;
}

/**
 * Whether another card is too near to the leader: in the end, or in the eyes of somebody who saw both and
 * could not tell them apart. That another provider then picks one of the two does not decide it.
 */
function isRival(leader: RankedCandidate, other: RankedCandidate): boolean {
  if (other.confidence >= leader.confidence - ambiguityMargin) return true;
  const isModelAlone = leader.provider === "generative_ai" && leader.engines.length === 1;
  if (isModelAlone && other.provider !== "generative_ai" && other.confidence >= leastSeen) {
    return true;
  }
  return Object.entries(other.own).some(([engine, confidence]) => {
    const ownLeader = leader.own[engine];
    return (
      ownLeader !== undefined &&
      confidence >= leastRival &&
      confidence >= ownLeader - ambiguityMargin
    );
  });
}

/** One field of the likeliest candidate: who says so, and who says otherwise. */
export type FieldEvidence = {
  name: keyof IdentificationFields;
  value: string | number | boolean;
  agreeing: readonly string[];
  disagreeing: readonly { engine: string; value: string | number | boolean }[];
};

/**
 * Field by field, what each provider's own best said about the candidate that was chosen. A flag counts
 * only where it is set: no provider says that a card is no rookie.
 */
export function evidenceOf(
  leader: RankedCandidate,
  findings: readonly Finding[],
): readonly FieldEvidence[] {
  const bests = new Map<string, Finding>();
  for (const finding of findings.toSorted(byRank)) {
    if (!bests.has(finding.engine)) bests.set(finding.engine, finding);
  }
  return identificationFieldNames.flatMap((name) => {
    const value = leader.fields[name];
    if (value == null || value === false) return [];
    const said = [...bests].flatMap(([engine, { fields }]) => {
      const theirs = fields[name];
      return theirs == null || theirs === false ? [] : [{ engine, value: theirs }];
    });
    const isLike = (theirs: string | number | boolean): boolean =>
      plain(String(theirs)) === plain(String(value));
    return [
      {
        name,
        value,
        agreeing: said.filter((one) => isLike(one.value)).map(({ engine }) => engine),
        disagreeing: said.filter((one) => !isLike(one.value)),
      },
    ];
  });
}
