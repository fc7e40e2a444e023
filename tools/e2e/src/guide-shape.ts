/** Whether what came is what a guide shows: the same but for what cannot be, as ids and times. */

const varying = new RegExp(
  [
    String.raw`(?<id>\b[a-z]{3,5}_[0-7][0-9a-hjkmnp-tv-z]{25}\b)`,
    String.raw`(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`,
    "(?<more>…)",
  ].join("|"),
  "gu",
);
const timePattern = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
/** Headers whose number depends on the moment. */
const varyingHeaders = new Set(["x-ratelimit-reset", "retry-after"]);

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** `…` stands for more of anything, an id for any of its kind, a time for any. */
function patternOf(shown: string): RegExp {
  let pattern = "";
  let at = 0;
  for (const match of shown.matchAll(varying)) {
    pattern += escape(shown.slice(at, match.index));
    const [text] = match;
    const { id, time } = match.groups ?? {};
    if (id !== undefined) pattern += `${id.split("_")[0] ?? ""}_[0-9a-z]{26}`;
    else pattern += time === undefined ? ".*" : timePattern;
    at = match.index + text.length;
  }
  return new RegExp(`^${pattern}${escape(shown.slice(at))}$`, "su");
}

export const fits = (shown: string, came: string): boolean => patternOf(shown).test(came);

const more = "…";

/** JSON in which a bare `…` stands for further members, or further elements. */
function parseShown(text: string): unknown {
  const open: string[] = [];
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}…]|[^"[\]{}…]+/gu) ?? [];
  const json = tokens.map((token) => {
    if (token === "{" || token === "[") open.push(token);
    if (token === "}" || token === "]") open.pop();
    if (token !== more) return token;
    return open.at(-1) === "{" ? `"${more}": "${more}"` : `"${more}"`;
  });
  return JSON.parse(json.join("")) as unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What differs, each with its place. Members that are shown must be there, and no others unless `…` is. */
function differences(shown: unknown, came: unknown, path: string): string[] {
  const place = path === "" ? "the whole" : path;
  if (Array.isArray(shown)) {
    if (!Array.isArray(came)) return [`${place} is no list`];
    const own: unknown[] = shown.filter((element) => element !== more);
    const isOpen = own.length < shown.length;
    if (isOpen ? came.length < own.length : came.length !== own.length) {
      return [`${place} has ${came.length} elements, shown are ${own.length}`];
    }
    return own.flatMap((element, index) => differences(element, came[index], `${path}[${index}]`));
  }
  if (isRecord(shown)) {
    if (!isRecord(came)) return [`${place} is no object`];
    const names = Object.keys(shown).filter((name) => name !== more);
    const isOpen = more in shown;
    const missing = names
      .filter((name) => !(name in came))
      .map((name) => `${place} has no ${name}`);
    const hidden = Object.keys(came)
      .filter((name) => !isOpen && !(name in shown))
      .map((name) => `${place} also has ${name}`);
    const inner = names
      .filter((name) => name in came)
      .flatMap((name) =>
        differences(shown[name], came[name], path === "" ? name : `${path}.${name}`),
      );
    return [...missing, ...hidden, ...inner];
  }
  if (typeof shown === "string" && typeof came === "string" && fits(shown, came)) return [];
  return shown === came
    ? []
    : [`${place} is ${JSON.stringify(came)}, shown is ${JSON.stringify(shown)}`];
}

function jsonProblems(shown: string, came: string): string[] {
  let answer: unknown;
  try {
    answer = JSON.parse(came);
  } catch {
    return [`no JSON came, but: ${came.slice(0, 500)}`];
  }
  return differences(parseShown(shown), answer, "");
}

function textProblems(shown: string, came: string): string[] {
  const wanted = shown.trim().split("\n");
  const lines = came.trim().split("\n");
  const isSame =
    wanted.length === lines.length && wanted.every((line, at) => fits(line, lines[at] ?? ""));
  return isSame ? [] : [`shown is\n${shown}\nbut this came:\n${came}`];
}

/** Status line and shown headers, in any order, and the body. Further headers only where `…` is shown. */
function httpProblems(shown: string, came: string): string[] {
  const parts = (text: string) => {
    const [head = "", ...body] = text.replaceAll("\r\n", "\n").trimStart().split("\n\n");
    const [status = "", ...headers] = head.trim().split("\n");
    return { status, headers, body: body.join("\n\n").trim() };
  };
  const wanted = parts(shown);
  const given = parts(came);
  const problems: string[] = [];
  if (wanted.status !== given.status) {
    problems.push(`the status is “${given.status}”, shown is “${wanted.status}”`);
  }
  const headers = new Map(
    given.headers.map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name.toLowerCase(), value.join(": ")];
    }),
  );
  for (const line of wanted.headers.filter((header) => header !== more)) {
    const [name = "", ...value] = line.split(": ");
    const answered = headers.get(name.toLowerCase());
    const isRight = varyingHeaders.has(name.toLowerCase())
      ? /^\d+$/u.test(answered ?? "")
      : answered !== undefined && fits(value.join(": "), answered);
    if (!isRight) problems.push(`${name} is ${answered ?? "not there"}, shown is “${line}”`);
  }
  if (!wanted.headers.includes(more)) problems.push("the other headers need a line with …");
  if (wanted.body === "" || given.body === "") {
    if (wanted.body !== given.body) problems.push(`the body is “${given.body.slice(0, 500)}”`);
    return problems;
  }
  return [...problems, ...jsonProblems(wanted.body, given.body)];
}

/** In what way something else came than a guide shows; nothing where it fits. */
export function outputProblems(
  language: "http" | "json" | "text",
  shown: string,
  came: string,
): string[] {
  if (language === "http") return httpProblems(shown, came);
  return language === "json" ? jsonProblems(shown, came) : textProblems(shown, came);
}
