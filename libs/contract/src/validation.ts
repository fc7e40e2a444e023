import type * as z from "zod";
import type { ErrorDetail } from "./errors.ts";

/** More than these would make an error answer larger than most requests. */
const maxDetails = 50;
const maxTextLength = 200;

/** How zod's own messages begin. Every other one is a sentence of a schema of ours. */
const ownToZod = /^(Invalid |Too (big|small)|Unrecognized key)/;

const typeSentences: Readonly<Record<string, string>> = {
  string: "Must be text",
  number: "Must be a number",
  int: "Must be a whole number",
  boolean: "Must be true or false",
  array: "Must be a list",
  object: "Must be an object",
  record: "Must be an object",
  null: "Must be null",
};

const formatSentences: Readonly<Record<string, string>> = {
  datetime: "Must be an RFC 3339 time with seconds and an offset",
  url: "Must be a web address",
  email: "Must be an e-mail address",
};

/** A bound as a person counts it: characters of a text, entries of a list. */
function bounded(issue: { origin: string }, word: "at least" | "at most", bound: unknown): string {
  const unit =
    issue.origin === "string" ? " characters" : issue.origin === "array" ? " entries" : "";
  return `Must be ${word} ${String(bound)}${unit}`;
}

/** What is wrong with a value, in words for the person who sent it. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (!ownToZod.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "Is required";
      return typeSentences[issue.expected] ?? "Has the wrong type";
    case "too_big":
      return bounded(issue, "at most", issue.maximum);
    case "too_small":
      return issue.minimum === 1 && issue.origin !== "number" && issue.origin !== "int"
        ? "Must not be empty"
        : bounded(issue, "at least", issue.minimum);
    case "invalid_value":
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return formatSentences[issue.format] ?? "Does not have the documented form";
    default:
      return "Does not have the documented form";
  }
}

/** An issue which says that another form was meant: a value of another kind, with other members. */
function isOfAnotherForm({ code, path }: z.core.$ZodIssue): boolean {
  return ["invalid_type", "invalid_value", "unrecognized_keys"].includes(code) && path.length === 0;
}

/** Where only one form of a union can have been meant, what is wrong with that one says more than the union. */
function opened(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [meant, ...others] = issue.errors.filter((issues) => !issues.some(isOfAnotherForm));
  if (meant === undefined || others.length > 0) return [issue];
  return meant.flatMap((inner) => opened({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** What is wrong with an input, one sentence a member; each unknown member is named by its own path. */
export function validationDetails(error: z.core.$ZodError): ErrorDetail[] {
  const named = new Set<string>();
  return (
    error.issues
      .flatMap(opened)
      .flatMap((issue) => {
        const path = issue.path.map(String);
        return issue.code === "unrecognized_keys"
          ? issue.keys.map((key) => ({ path: [...path, key], message: "Unknown member" }))
          : [{ path, message: sentenceOf(issue) }];
      })
      // An empty text is too short and only white space too; the first says enough.
      .filter(({ path }) => {
        const name = path.join("\0");
        if (named.has(name)) return false;
        named.add(name);
        return true;
      })
      .slice(0, maxDetails)
      .map(({ path, message }) => ({
        path: path.join(".").slice(0, maxTextLength).toWellFormed(),
        message: message.slice(0, maxTextLength).toWellFormed(),
      }))
  );
}
