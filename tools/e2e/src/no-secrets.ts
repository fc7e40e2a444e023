import { expect } from "vitest";

/** Known by their form, whoever made them: tokens, signing secrets, and headers that carry one. */
const forms = [
  /\bcv_(?:live|test)_[0-9A-Za-z]{38}\b/u,
  /\bwhsec_[0-9A-Za-z+/=]{20,}/u,
  /\bbearer\s+(?!\[redacted\])\S{8,}/iu,
  /session_token=(?!\[redacted\])[^;\s"]{8,}/u,
  /"(?:set-)?cookie":"(?!\[redacted\])/iu,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
];

/** Fails where a log holds one of these secrets, or anything that has the form of one. */
export function expectNoSecrets(log: string, secrets: ReadonlySet<string>): void {
  const given = [...secrets].filter((secret) => secret !== "");
  // Which secret and where, but not the secret itself: this text goes into a log too.
  const found = [
    ...given.filter((secret) => log.includes(secret)).map((secret) => log.indexOf(secret)),
    ...forms.map((form) => log.search(form)).filter((at) => at >= 0),
  ].map((at) => `${log.slice(Math.max(0, log.lastIndexOf("\n", at)), at).trim()} …`);
  expect(found, "lines of a log that hold a secret").toEqual([]);
}
