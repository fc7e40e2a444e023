import "./candidates.css";
import type { FieldEvidence, Identification, KeptCandidate } from "@cardvault/contract";
import { Kbd } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { candidateReason, enginesWords, percentWords } from "./candidates-words.ts";
import { evidenceLabel, evidenceText } from "./candidates-words.ts";
import { gradingText } from "./card-fields-model.ts";

const shownFacts = ["set", "number", "year", "rarity", "variant", "language"] as const;

/**
 * What a card may be, the likeliest first: picture, confidence, who says so and why. Like radio buttons:
 * one of them is chosen, and the arrow keys go from one to the next.
 */
export function Candidates(props: {
  candidates: readonly KeptCandidate[];
  /** From 0. */
  chosen: number;
  onChoose: (place: number) => void;
  /** Of a click on the one that is chosen already. */
  onTake?: () => void;
  hasKeys?: boolean;
}) {
  const { candidates, chosen, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  const first = candidates[0]?.identification;

  function choose(place: number): void {
    if (place < 0 || place >= candidates.length) return;
    onChoose(place);
    list.current?.querySelectorAll<HTMLButtonElement>("[role=radio]")[place]?.focus();
  }
  return (
    <div className="candidates" role="radiogroup" aria-label="Candidates" ref={list}>
      {candidates.map((candidate, place) => (
        <button
          key={place}
          type="button"
          // A picture and four lines are no label of an input.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="radio"
          aria-checked={place === chosen}
          tabIndex={place === chosen ? 0 : -1}
          className="candidate"
          onClick={() => {
            if (place === chosen) props.onTake?.();
            else onChoose(place);
          }}
          onKeyDown={(event) => {
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (step === 0) return;
            event.preventDefault();
            choose(place + step);
          }}
        >
          <CandidatePicture candidate={candidate} />
          <span>
            <span className="candidate-head">
              {props.hasKeys === true ? <Kbd size="xs">{place + 1}</Kbd> : null}
              <span className="candidate-title">
                {candidate.identification.title ?? "Without a title"}
              </span>
              <Confidence value={candidate.confidence} />
            </span>
            <CandidateFacts candidate={candidate} other={place === 0 ? undefined : first} />
            <span className="candidate-why wrap">{candidateReason(candidate)}</span>
          </span>
        </button>
      ))}
    </div>
  );
}

function Confidence({ value }: { value: number }) {
  return (
    <span className="candidate-sure" title="How sure it is">
      <span className="candidate-bar" aria-hidden>
        <span style={{ width: `${value * 100}%` }} />
      </span>
      {percentWords(value)}
    </span>
  );
}

/** What differs from the likeliest is marked: there is where to look. */
function CandidateFacts(props: { candidate: KeptCandidate; other: Identification | undefined }) {
  const { candidate, other } = props;
  const { identification, grading } = candidate;
  const facts = shownFacts.flatMap((name) => {
    const value = identification[name];
    if (value === null) return [];
    return [{ name, value: String(value), differs: other !== undefined && other[name] !== value }];
  });
  return (
    <span className="candidate-facts">
      {facts.map(({ name, value, differs }) =>
        differs ? (
          <mark key={name} title={`${evidenceLabel(name)}: differs from the first`}>
            {value}
          </mark>
        ) : (
          <span key={name} title={evidenceLabel(name)}>
            {value}
          </span>
        ),
      )}
      {grading === null ? null : <span title="Read off its slab">{gradingText(grading)}</span>}
    </span>
  );
}

/** The picture of a public list; where none has one, what the card's print has to say. */
function CandidatePicture({ candidate }: { candidate: KeptCandidate }) {
  const { image_url: address, identification } = candidate;
  const [broken, setBroken] = useState<string | null>(null);
  if (address !== null && address !== broken) {
    return (
      <img
        className="candidate-picture"
        src={address}
        alt=""
        loading="lazy"
        decoding="async"
        // Whose pictures they are need not know who looks.
        referrerPolicy="no-referrer"
        onError={() => setBroken(address)}
      />
    );
  }
  const { title, number, set, set_code: setCode, rarity } = identification;
  return (
    <span className="candidate-face" aria-hidden>
      <strong>{title ?? "?"}</strong>
      <span>{rarity}</span>
      <span>
        <span className="candidate-number">{number ?? "no number"}</span>
        <br />
        {setCode ?? set}
      </span>
    </span>
  );
}

/** Field by field: what the likeliest candidate says, who agrees, and who says what else. */
export function EvidenceTable({ fields }: { fields: readonly FieldEvidence[] }) {
  return (
    <table className="evidence">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Read as</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((one) => (
          <tr key={one.field}>
            <th scope="row">{evidenceLabel(one.field)}</th>
            <td>{evidenceText(one.value)}</td>
            <td>
              <EvidenceBy evidence={one} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EvidenceBy({ evidence: { agreeing, disagreeing } }: { evidence: FieldEvidence }) {
  return (
    <>
      {agreeing.length === 0 ? null : (
        <span className="chip" data-tone={disagreeing.length === 0 ? "good" : "quiet"}>
          <IconCircleCheck size={16} stroke={1.75} aria-hidden />
          {enginesWords(agreeing)}
        </span>
      )}
      {disagreeing.map(({ engine, value }) => (
        <span key={engine} className="chip" data-tone="warning">
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          {enginesWords([engine])}: {evidenceText(value)}
        </span>
      ))}
    </>
  );
}
