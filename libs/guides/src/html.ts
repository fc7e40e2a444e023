const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text as it stands in HTML, in attributes too. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => named[character] ?? character);
}
