import { identifyProviders } from "@cardvault/contract";
import type { IdentifyFailure, IdentifyProvider, KeptAttempt } from "@cardvault/contract";
import { addProviderUsage, readProviderBudget } from "@cardvault/db";
import type { ProviderCall } from "@cardvault/db";
import { checkAgainstCatalogue, rankFindings } from "@cardvault/domain";
import type { Finding, IdentificationVerdict, KnownFields } from "@cardvault/domain";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { askCatalogue } from "./ask-catalogue.ts";
import { EngineError } from "./engines.ts";
import type { EngineAnswer, EnginePicture, IdentificationEngine } from "./engines.ts";
import { trustedFields } from "./field-names.ts";

/** What all who were asked have said of one card. */
export interface AskedEngines {
  attempts: readonly KeptAttempt[];
  findings: readonly Finding[];
  verdict: IdentificationVerdict;
  /** Nobody found anything: each kind of provider has failed. */
  hasFailed: boolean;
  /** And one of them only because it cannot be reached now. When it may be asked again, where it says so. */
  outage: { retryAfterMs: number | undefined } | null;
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
  const { db, clock, engines } = needs;
  const { identification } = engines(access);
  const isSpent = await isBudgetSpent(needs, access, identification);
  const signal = AbortSignal.timeout(totalMs);
  const attempts: KeptAttempt[] = [];
  const findings: Finding[] = [];
  let verdict = rankFindings([], question.threshold);
  let outage: AskedEngines["outage"] = null;
  const calls: ProviderCall[] = [];
  for (const provider of identifyProviders) {
    if (verdict.isSure) break;
    const asked = identification.filter((engine) => engine.provider === provider);
    if (asked.length === 0) attempts.push(failedAttempt(provider, null, "not_configured", 0, null));
    for (const engine of asked) {
      if (verdict.isSure) break;
      if (engine.isPaid && isSpent) {
        attempts.push(failedAttempt(provider, engine.name, "error", 0, "budget_spent"));
        continue;
      }
      const said = await askOne(needs, access, engine, question, signal);
      attempts.push(said.attempt);
      calls.push(said.call);
      outage = said.outage ?? outage;
      findings.push(...said.findings);
      verdict = rankFindings(findings, question.threshold);
    }
  }
  await addProviderUsage(db, access.accountId, calls, clock.now());
  const hasFailed = findings.length === 0;
  return { attempts, findings, verdict, hasFailed, outage: hasFailed ? outage : null };
}

async function isBudgetSpent(
  { db, clock }: Needs,
  { accountId }: Access,
  engines: readonly IdentificationEngine[],
): Promise<boolean> {
  if (!engines.some(({ isPaid }) => isPaid)) return false;
  const { budgetMicros, spentMicros } = await readProviderBudget(db, accountId, clock.now());
  return budgetMicros !== null && spentMicros >= budgetMicros;
}

interface Said {
  attempt: KeptAttempt;
  findings: Finding[];
  call: ProviderCall;
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
    answer = await engine.identify({ pictures, game, accountId: access.accountId }, signal);
  } catch (thrown) {
    const error = engineErrorOf(thrown, signal);
    const { code, isTimeout, isOutage, retryAfterMs } = error;
    needs.logger.warn({ err: error.cause ?? thrown, engine: name, code }, "an engine failed");
    const failure = isTimeout ? "timeout" : "error";
    return {
      attempt: failedAttempt(provider, name, failure, tookMs(), code),
      findings: [],
      call: { engine: name, isFailure: true, costMicros: null },
      outage: isOutage || isTimeout ? { retryAfterMs } : null,
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
      ...checkAgainstCatalogue(known, catalogue),
    });
  }
  const call = { engine: name, isFailure: false, costMicros };
  const best = Math.max(0, ...findings.map(({ confidence }) => confidence));
  if (findings.length === 0) {
    const attempt = failedAttempt(provider, name, "no_match", durationMs, null);
    const kept = { ...attempt, cost_micros: costMicros, unreadable: readable(unreadable) };
    return { attempt: kept, findings, call, outage: null };
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
  return { attempt, findings, call, outage: null };
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
