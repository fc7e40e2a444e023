/** The strong entity tag of an answer that has a version; undefined where it has none. */
export function entityTagOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("version" in answer)) return undefined;
  const { version } = answer;
  return typeof version === "number" ? `"${version}"` : undefined;
}

/** Whether `If-None-Match` names this tag (RFC 9110, section 13.1.2: weak comparison). */
export function namesTag(header: string, tag: string): boolean {
  return header.split(",").some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === "*" || (trimmed.startsWith("W/") ? trimmed.slice(2) : trimmed) === tag;
  });
}

/** The `Link` to the next page: the same query with another cursor. */
export function nextPageLink(
  publicUrl: string,
  path: string,
  rawQuery: string,
  cursor: string,
): string {
  const query = new URLSearchParams(rawQuery);
  query.set("cursor", cursor);
  return `<${publicUrl}${path}?${query.toString()}>; rel="next"`;
}
