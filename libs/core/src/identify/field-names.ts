import { cardMaxima, identificationShape } from "@cardvault/contract";
import type { Card, Grading as GivenGrading, Identification } from "@cardvault/contract";
import { identificationFieldNames } from "@cardvault/domain";
import type { Grading, IdentificationFields, KnownFields } from "@cardvault/domain";

type Field = keyof Identification;
type GivenFields = { [Name in Field]?: Identification[Name] | undefined };

/** By the rules' name and by the contract's. */
export const fieldNames: Readonly<Record<keyof IdentificationFields, Field>> = {
  title: "title",
  game: "game",
  set: "set",
  setCode: "set_code",
  number: "number",
  year: "year",
  subject: "subject",
  team: "team",
  manufacturer: "manufacturer",
  variant: "variant",
  rarity: "rarity",
  language: "language",
  printRun: "print_run",
  serialNumber: "serial_number",
  isRookie: "is_rookie",
  isAutograph: "is_autograph",
  isMemorabilia: "is_memorabilia",
};

/** As the contract writes it: null for what is not known. */
export function identificationFrom(fields: KnownFields): Identification {
  const written: Record<string, unknown> = {};
  for (const name of identificationFieldNames) {
    const isFlag = name === "isRookie" || name === "isAutograph" || name === "isMemorabilia";
    written[fieldNames[name]] = isFlag ? fields[name] === true : (fields[name] ?? null);
  }
  return written as Identification;
}

/** A grading by the rules' names. */
export function gradingFrom(grading: GivenGrading | null): Grading | null {
  if (grading === null) return null;
  const { grader, grade, cert_number: certNumber, qualifier } = grading;
  return { grader, grade, certNumber, qualifier };
}

/** And by the contract's. */
export function gradingWritten(grading: Grading | null | undefined): GivenGrading | null {
  if (!grading) return null;
  const { grader, grade, certNumber, qualifier } = grading;
  return { grader, grade, cert_number: certNumber, qualifier };
}

/** What a request or a card says, by the rules' names. What it leaves out is not known. */
export function fieldsFrom(given: GivenFields | Card): KnownFields {
  const fields: Record<string, unknown> = {};
  for (const name of identificationFieldNames) {
    const value = given[fieldNames[name]];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/**
 * What an engine said, as a card can hold it. A stranger's answer is trusted in nothing: a field that does
 * not have the documented form is not known, and a title that is too long is cut.
 */
export function trustedFields(said: KnownFields): KnownFields {
  const fields: Record<string, unknown> = {};
  const title = said.title ?? said.subject ?? null;
  const given: KnownFields = { ...said, title: typeof title === "string" ? title.trim() : null };
  for (const name of identificationFieldNames) {
    const value = given[name];
    const text = typeof value === "string" ? value.trim() : value;
    const cut =
      name === "title" && typeof text === "string" ? text.slice(0, cardMaxima.title) : text;
    const parsed = identificationShape[fieldNames[name]].safeParse(cut);
    if (parsed.success && parsed.data !== null) fields[name] = parsed.data;
  }
  return fields;
}
