import { createLogger } from "@cardvault/kit";
import type { Logger } from "@cardvault/kit";

/** Known by their form, whoever made them: tokens, signing secrets, and headers that carry one. */
const forms = [
  /\bcv_(?:live|test)_[0-9A-Za-z]{38}\b/u,
  /\bwhsec_[0-9A-Za-z+/=]{20,}/u,
  /\bbearer\s+(?!\[redacted\])\S{8,}/iu,
  /session_token=(?!\[redacted\])[^;\s"]{8,}/u,
  /"(?:set-)?cookie":"(?!\[redacted\])/iu,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
];

/**
 * The lines of a log that hold one of these secrets, or anything that has the form of one: each up to where the first
 * begins, since what is found is told in a log too.
 */
export function secretsIn(log: string, secrets: Iterable<string> = []): string[] {
  const given = [...secrets].filter((secret) => secret !== "");
  return log.split("\n").flatMap((line) => {
    const places = [
      ...given.map((secret) => line.indexOf(secret)),
      ...forms.map((form) => line.search(form)),
    ].filter((at) => at >= 0);
    return places.length === 0 ? [] : [`${line.slice(0, Math.min(...places)).trim()} …`];
  });
}

/**
 * A logger that prints nothing and searches each line as it is written: one that holds a secret ends the test's
 * process, which no `catch` on the way can keep from failing.
 * @param secrets what has no form to be known by
 */
export function searchedLogger(name: string, secrets: Iterable<string> = []): Logger {
  const write = (line: string): void => {
    const found = secretsIn(line, secrets);
    if (found.length === 0) return;
    queueMicrotask(() => {
      throw new Error(`A line of the log holds a secret: ${found.join(" | ")}`);
    });
  };
  return createLogger({ name, level: "info", destination: { write } });
}
