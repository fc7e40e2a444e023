import { identifyProviders } from "@cardvault/contract";
import type { IdentifyFailure, IdentifyProvider, KeptAttempt } from "@cardvault/contract";
import { checkAgainstCatalogue, rankFindings } from "@cardvault/domain";
import type { Finding, IdentificationVerdict, KnownFields } from "@cardvault/domain";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { askCatalogue } from "./ask-catalogue.ts";
import { EngineError } from "./engines.ts";
import type { EngineAnswer, EnginePicture, IdentificationEngine } from "./engines.ts";
import { trustedFields } from "./field-names.ts";
import { meteredCall } from "./metered-call.ts";

/** What all who were asked have said of one card. */
export interface AskedEngines {
  attempts: readonly KeptAttempt[];
  findings: readonly Finding[];
  verdict: IdentificationVerdict;
  /** Nobody found anything: each kind of provider has failed. */
  hasFailed: boolean;
  /**
   * And one of them only because it cannot be reached now: when it may be asked again, where it says so. Or
   * nobody was asked who costs money, because the account may not spend more.
   */
  outage: { retryAfterMs: number | undefined; isBudget: boolean } | null;
}

export interface Question {
  pictures: readonly EnginePicture[];
  game?: string | undefined;
  /** 0..1 */
  threshold: number;
}

/** All engines together: below the time for which an idempotency key and a card are held. */
const totalMs = 50_000;

type Needs = Pick<Services, "db" | "clock" | "logger" | "engines">;

/**
 * Asks image recognition first, and a generative model where that fails or is not sure enough. The
 * answers are checked against the catalogue and ranked together. What was spent is counted, whatever
 * comes of it. Holds no transaction.
 */
export async function askEngines(
  needs: Needs,
  access: Access,
  question: Question,
): Promise<AskedEngines> {
  const { identification } = needs.engines(access);
  const signal = AbortSignal.timeout(totalMs);
  const attempts: KeptAttempt[] = [];
  const findings: Finding[] = [];
  let verdict = rankFindings([], question.threshold);
  let outage: AskedEngines["outage"] = null;
  let isBilled = false;
  for (const provider of identifyProviders) {
    if (verdict.isSure) break;
    const asked = identification.filter((engine) => engine.provider === provider);
    if (asked.length === 0) attempts.push(failedAttempt(provider, null, "not_configured", 0, null));
    for (const engine of asked) {
      if (verdict.isSure) break;
      const said = await askOne(needs, access, engine, question, signal);
      attempts.push(said.attempt);
      isBilled ||= engine.isPaid && said.outage?.isBudget !== true;
      // Who is away comes back sooner than money.
      if (outage === null || said.outage?.isBudget === false) outage = said.outage ?? outage;
      findings.push(...said.findings);
      verdict = rankFindings(findings, question.threshold);
    }
  }
  const hasFailed = findings.length === 0;
  // Another has been paid to look and saw nothing: asking it again would only be paid again.
  if (outage?.isBudget === true && isBilled) outage = null;
  return { attempts, findings, verdict, hasFailed, outage: hasFailed ? outage : null };
}

interface Said {
  attempt: KeptAttempt;
  findings: Finding[];
  outage: AskedEngines["outage"];
}

async function askOne(
  needs: Needs,
  access: Access,
  engine: IdentificationEngine,
  { pictures, game, threshold }: Question,
  signal: AbortSignal,
): Promise<Said> {
  const { provider, name } = engine;
  const startedMs = performance.now();
  const tookMs = (): number => Math.max(0, Math.round(performance.now() - startedMs));
  let answer: EngineAnswer;
  try {
    const { accountId } = access;
    answer = await meteredCall(needs, accountId, engine, () =>
      engine.identify({ pictures, game, accountId }, signal),
    );
  } catch (thrown) {
    const error = engineErrorOf(thrown, signal);
    const { code, isTimeout, isOutage, isBudget, retryAfterMs } = error;
    needs.logger.warn({ err: error.cause ?? thrown, engine: name, code }, "an engine failed");
    const failure = isTimeout ? "timeout" : "error";
    return {
      attempt: failedAttempt(provider, name, failure, tookMs(), code),
      findings: [],
      outage: isOutage || isTimeout || isBudget ? { retryAfterMs, isBudget } : null,
    };
  }
  const { costMicros, unreadable } = answer;
  const durationMs = tookMs();
  const findings: Finding[] = [];
  for (const candidate of answer.candidates) {
    const fields = trustedFields(candidate.fields);
    if (isNothing(fields)) continue;
    const known = {
      ...candidate,
      provider,
      fields,
      confidence: between0and1(candidate.confidence),
    };
    const catalogue = await askCatalogue(needs, access, fields, game);
    findings.push({
      provider,
      engine: name,
      imageUrl: pictureAddress(candidate.imageUrl),
      grading: candidate.grading ?? null,
      ...checkAgainstCatalogue(known, catalogue),
    });
  }
  const best = Math.max(0, ...findings.map(({ confidence }) => confidence));
  if (findings.length === 0) {
    const attempt = failedAttempt(provider, name, "no_match", durationMs, null);
    const kept = { ...attempt, cost_micros: costMicros, unreadable: readable(unreadable) };
    return { attempt: kept, findings, outage: null };
  }
  const attempt: KeptAttempt = {
    provider,
    engine: name,
    outcome: best >= threshold ? "match" : "low_confidence",
    confidence: best,
    duration_ms: durationMs,
    cost_micros: costMicros,
    error: null,
    unreadable: readable(unreadable),
  };
  return { attempt, findings, outage: null };
}

function failedAttempt(
  provider: IdentifyProvider,
  engine: string | null,
  outcome: IdentifyFailure,
  durationMs: number,
  error: string | null,
): KeptAttempt {
  return {
    provider,
    engine,
    outcome,
    confidence: null,
    duration_ms: durationMs,
    cost_micros: null,
    error,
    unreadable: [],
  };
}

function engineErrorOf(thrown: unknown, signal: AbortSignal): EngineError {
  if (thrown instanceof EngineError) return thrown;
  if (signal.aborted) return new EngineError("timeout", { isTimeout: true, cause: thrown });
  return new EngineError("internal_error", { cause: thrown });
}

/** Without a name, and without a number, nobody could tell what was found. */
function isNothing({ title, number }: KnownFields): boolean {
  return (title ?? null) === null && (number ?? null) === null;
}

function between0and1(confidence: number): number {
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
}

/** Shown to people, so it is nothing but an address of a picture. */
function pictureAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url) || url.length > 500) return null;
  return new URL(url).protocol === "https:" ? url : null;
}

/** Names of fields, never sentences of a model's. */
function readable(names: readonly string[]): string[] {
  return names.filter((name) => /^[a-z_]{1,30}$/u.test(name)).slice(0, 20);
}
