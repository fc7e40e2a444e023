import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One guide, as it is written. */
export interface Guide {
  /** Its name in addresses: `/docs/guides/<slug>`. */
  readonly slug: string;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  readonly markdown: string;
}

/** In the order in which they are read. */
const slugs = [
  "first-call",
  "polling",
  "webhooks",
  "events",
  "errors",
  "limits",
  "idempotency",
  "versions",
] as const;

const folder = join(import.meta.dirname, "../guides");

function readGuide(slug: string): Guide {
  const markdown = readFileSync(join(folder, `${slug}.md`), "utf8");
  const [, title, summary] = /^# (.+)\n\n(.+)\n/u.exec(markdown) ?? [];
  if (title === undefined || summary === undefined) {
    throw new TypeError(`${slug}.md does not begin with its title and a paragraph of one line`);
  }
  return { slug, title, summary, markdown };
}

/** Every guide. The files are read once, when this is first imported. */
export const guides: readonly Guide[] = slugs.map(readGuide);
