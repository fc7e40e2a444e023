import type {
  EventDataOf,
  IdentifyAnswer,
  IdentifyFailure,
  KeptAttempt,
  KeptCandidate,
} from "@cardvault/contract";
import { identifyFailures } from "@cardvault/contract";
import { writtenGrading } from "@cardvault/domain";
import type { RankedCandidate } from "@cardvault/domain";
import type { AskedEngines } from "./ask-engines.ts";
import { identificationFrom } from "./field-names.ts";

/** A candidate as it is kept and shown to people. */
export function keptCandidateOf(candidate: RankedCandidate): KeptCandidate {
  const { provider, confidence, fields, imageUrl, engines, catalogue, externalIds, grading } =
    candidate;
  return {
    provider,
    confidence,
    identification: identificationFrom(fields),
    image_url: imageUrl,
    engines: [...engines],
    catalogue,
    external_ids: { ...externalIds },
    grading: writtenGrading(grading),
  };
}

/** What the REST API answers: who of a kind was asked is the installation's own business. */
export function identificationAnswer(
  { verdict, attempts }: Pick<AskedEngines, "verdict" | "attempts">,
  { cardId, identified }: { cardId: string | null; identified: boolean },
): IdentifyAnswer {
  const { leader, candidates } = verdict;
  return {
    card_id: cardId,
    identified,
    provider: leader?.provider ?? null,
    confidence: leader?.confidence ?? null,
    identification: leader === null ? null : identificationFrom(leader.fields),
    candidates: candidates.map((candidate) => {
      const { provider, confidence, identification, image_url } = keptCandidateOf(candidate);
      return { provider, confidence, identification, image_url };
    }),
    attempts: attempts.map(({ provider, outcome, confidence, duration_ms, error }) => ({
      provider,
      outcome,
      confidence,
      duration_ms,
      error,
    })),
  };
}

/** How each provider failed, for the event. */
export function failuresOf({
  attempts,
}: {
  attempts: readonly KeptAttempt[];
}): EventDataOf<"identify.failed">["attempts"] {
  return attempts.flatMap(({ provider, outcome }) =>
    isFailure(outcome) ? [{ provider, reason: outcome }] : [],
  );
}

function isFailure(outcome: KeptAttempt["outcome"]): outcome is IdentifyFailure {
  return (identifyFailures as readonly string[]).includes(outcome);
}
