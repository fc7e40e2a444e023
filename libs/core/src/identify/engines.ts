import type {
  Condition,
  Environment,
  IdentifyProvider,
  PhotoSide,
  SourceFailure,
} from "@cardvault/contract";
import type { Grading, KnownFields, PriceQuote } from "@cardvault/domain";

/** A photo as an engine is given it: upright, without metadata, the longer side at most 1600 pixels. */
export interface EnginePicture {
  side: PhotoSide;
  mediaType: "image/webp";
  bytes: Uint8Array;
}

/** One card that an engine thinks it sees. */
export interface EngineCandidate {
  /** 0..1 */
  confidence: number;
  fields: KnownFields;
  externalIds: Readonly<Record<string, string>>;
  imageUrl: string | null;
  /** What it reads off a slab, in the documented form. */
  grading?: Grading | null | undefined;
}

export interface EngineAnswer {
  /** The likeliest first; empty where it sees no card that it knows. */
  candidates: readonly EngineCandidate[];
  /** What it says that it could not read. */
  unreadable: readonly string[];
  /** Millionths of a US dollar; null where its price is not known. */
  costMicros: number | null;
}

/** Why an engine gave no answer. The code is ours; what the provider wrote is in the cause, for the log. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;
  readonly isTimeout: boolean;
  /** It may answer later, and would not answer about any other card now. */
  readonly isOutage: boolean;
  /** It was not asked: the account may not spend more. */
  readonly isBudget: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    options: {
      isTimeout?: boolean | undefined;
      isOutage?: boolean | undefined;
      isBudget?: boolean | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.isTimeout = options.isTimeout ?? false;
    this.isOutage = options.isOutage ?? false;
    this.isBudget = options.isBudget ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What an engine's calls cost, so that they are counted, and stopped where an account has a cap. */
export interface EngineCost {
  /** `local`, or the provider. */
  name: string;
  /** Its calls cost money. */
  isPaid: boolean;
  /** What a call is reckoned at before its cost is known, in millionths of a US dollar; 0 unless told. */
  callMicros?: number | undefined;
  /** What the installation lets an account spend at it in a month; no end unless told. */
  capMicros?: number | null | undefined;
}

/** Somebody who looks at photos and says which card it is. */
export interface IdentificationEngine extends EngineCost {
  provider: IdentifyProvider;
  /** @throws EngineError */
  identify(
    request: { pictures: readonly EnginePicture[]; game?: string | undefined; accountId: string },
    signal: AbortSignal,
  ): Promise<EngineAnswer>;
}

/** What a price is asked of. */
export interface PricedThing {
  fields: KnownFields;
  externalIds: Readonly<Record<string, string>>;
  condition: Condition | null;
  grading: Grading | null;
}

/** Somebody who says what cards are worth. */
export interface PriceEngine extends EngineCost {
  /** Empty where it does not know the card. @throws EngineError */
  quote(
    thing: PricedThing,
    signal: AbortSignal,
  ): Promise<{ quotes: readonly PriceQuote[]; costMicros: number | null }>;
}

/** Who is asked for an account, each kind in its order. */
export interface Engines {
  identification: readonly IdentificationEngine[];
  prices: readonly PriceEngine[];
}

/** A test account's engines call no third party, and tell test accounts apart. */
export type EnginesOf = (account: { accountId: string; environment: Environment }) => Engines;

/** What an installation without any has. */
export const noEngines: EnginesOf = () => ({ identification: [], prices: [] });

/** A failure as a price lookup names it. */
export function sourceFailureOf(error: unknown): SourceFailure {
  if (!(error instanceof EngineError)) return "error";
  if (error.isTimeout) return "timeout";
  return error.code === "rate_limited" ? "rate_limited" : "error";
}
