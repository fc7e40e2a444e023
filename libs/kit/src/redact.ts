/** What stands where a secret stood. */
const redacted = "[redacted]";

// Words at the end of a member's name that make its value a secret, in snake_case, camelCase and
// header spelling. Numbers and booleans under such a name are figures ("tokens": 120) and stay.
const secretNames =
  "(?:authorization|cookie|signature|password|passphrase|secret|token|credential|api[-_]?key|private[-_]?key|encryption[-_]?key)s?";
const secretMember = new RegExp(`"[^"\\\\]*${secretNames}":`, "i");
const secretName = new RegExp(`${secretNames}$`, "i");

// Secrets that can be known by their own form, wherever they stand.
const secretForms: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // User and password in a URL (RFC 3986, section 3.2.1). A bound for the scheme, or a long word would be read
  // once for each of its letters.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"\\]+@/gi, `$1${redacted}@`],
  // API keys and signing secrets of this service.
  [/\bcv_(live|test)_[0-9A-Za-z]+/g, `cv_$1_${redacted}`],
  [/\bwhsec_[0-9A-Za-z+/=]+/g, `whsec_${redacted}`],
  [/\b(bearer|basic)\s+[^\s"\\,]+/gi, `$1 ${redacted}`],
  // JSON and forms that were logged as text, and query parameters.
  [
    new RegExp(
      `(${secretNames}\\\\+"\\s*:\\s*\\\\+")(?:[^"\\\\]|\\\\{2}(?:\\\\{2}|\\\\"|[^"\\\\]))*`,
      "gi",
    ),
    `$1${redacted}`,
  ],
  [new RegExp(`(${secretNames}=)[^\\s&"\\\\;]+`, "gi"), `$1${redacted}`],
];

/** A line of JSON without the secrets in it. Its end (the line feed) is kept. */
export function redactLine(line: string): string {
  return redactText(secretMember.test(line) ? redactMembers(line) : line);
}

/** A text without what is known to be a secret by its form alone. */
function redactText(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secretForms) clean = clean.replace(pattern, replacement);
  return clean;
}

function redactMembers(line: string): string {
  const clean = JSON.stringify(JSON.parse(line), (name, value: unknown) => {
    const isSecret =
      secretName.test(name) && (typeof value === "string" || typeof value === "object");
    return isSecret && value !== null ? redacted : value;
  });
  return line.endsWith("\n") ? `${clean}\n` : clean;
}
