import { cardMaxima, identificationShape } from "@cardvault/contract";
import type { Card, Identification } from "@cardvault/contract";
import { identificationFieldNames, identificationNames } from "@cardvault/domain";
import type { KnownFields } from "@cardvault/domain";

type Field = keyof Identification;
type GivenFields = { [Name in Field]?: Identification[Name] | undefined };

/** As the contract writes it: null for what is not known. */
export function identificationFrom(fields: KnownFields): Identification {
  const written: Record<string, unknown> = {};
  for (const name of identificationFieldNames) {
    const isFlag = name === "isRookie" || name === "isAutograph" || name === "isMemorabilia";
    written[identificationNames[name]] = isFlag ? fields[name] === true : (fields[name] ?? null);
  }
  return written as Identification;
}

/** What a request or a card says, by the rules' names. What it leaves out is not known. */
export function fieldsFrom(given: GivenFields | Card): KnownFields {
  const fields: Record<string, unknown> = {};
  for (const name of identificationFieldNames) {
    const value = given[identificationNames[name]];
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
    const parsed = identificationShape[identificationNames[name]].safeParse(cut);
    if (parsed.success && parsed.data !== null) fields[name] = parsed.data;
  }
  return fields;
}
