import { withGenerated } from "./generated.ts";
import type { GuideFacts } from "./generated.ts";
import { guides } from "./guides.ts";
import type { Guide } from "./guides.ts";
import { escaped } from "./html.ts";
import { houseBar, houseHead } from "./house.ts";
import { htmlOf } from "./markdown.ts";
import type { Section } from "./markdown.ts";
import { placeholders } from "./placeholders.ts";

const root = "/docs/guides";

const linkTo = ({ slug }: Guide): string => `${root}/${slug}`;

/** Where the guides stand: their list, and each of them. */
export const guidePaths: readonly string[] = [root, ...guides.map(linkTo)];

/** One page of the guides; undefined for a path that is none of {@link guidePaths}. */
export function guidePageAt(path: string, facts: GuideFacts): string | undefined {
  if (path === root) return indexPage();
  const at = guides.findIndex((guide) => linkTo(guide) === path);
  const guide = guides[at];
  if (guide === undefined) return undefined;
  return guidePage(guide, { previous: guides[at - 1], next: guides[at + 1] }, facts);
}

function shell(title: string, current: Guide | null, main: string, aside: string): string {
  const links = guides.map((guide) => {
    const mark = guide === current ? ' aria-current="page"' : "";
    return `<li><a href="${linkTo(guide)}"${mark}>${escaped(guide.title)}</a></li>`;
  });
  return `${houseHead(title, ["guides.css"])}<body>
<a class="skip" href="#guide">Skip to the guide</a>
${houseBar("/docs/guides")}<div class="guide-page">
<nav class="guide-list" aria-label="Guides">
<ul>
<li><a href="${root}"${current === null ? ' aria-current="page"' : ""}>All guides</a></li>
${links.join("\n")}
<li><a href="/docs">API reference</a></li>
</ul>
</nav>
<main id="guide" tabindex="-1">
${main}</main>
${aside}</div>
<script src="/docs/copy.js" defer></script>
</body>
</html>
`;
}

function indexPage(): string {
  const cards = guides.map(
    (guide) =>
      `<li><a href="${linkTo(guide)}"><strong>${escaped(guide.title)}</strong><span>${escaped(guide.summary)}</span></a></li>`,
  );
  const main = `<h1>Guides</h1>
<p class="lead">How to build on the vault. Every example here is run against the service before it is released.</p>
<ul class="guide-cards">
${cards.join("\n")}
</ul>
<p>Every operation and every member stands in the <a href="/docs">API reference</a>, and for machines in <a href="/openapi.json">openapi.json</a>.</p>
`;
  return shell("Guides", null, main, "");
}

function sectionList(sections: readonly Section[]): string {
  const links = sections.map(({ id, words }) => `<li><a href="#${id}">${escaped(words)}</a></li>`);
  return `<nav class="guide-sections" aria-label="On this page">
<p>On this page</p>
<ul>
${links.join("\n")}
</ul>
</nav>
`;
}

function guidePage(
  guide: Guide,
  { previous, next }: { previous: Guide | undefined; next: Guide | undefined },
  facts: GuideFacts,
): string {
  const text = withGenerated(guide.markdown, facts).replaceAll(placeholders.origin, facts.origin);
  const { html, sections } = htmlOf(text);
  const neighbour = (word: string, other: Guide | undefined): string =>
    other === undefined
      ? "<span></span>"
      : `<a href="${linkTo(other)}"><span>${word}</span>${escaped(other.title)}</a>`;
  const main = `${html.replace("<p>", '<p class="lead">')}<nav class="guide-turn" aria-label="Other guides">
${neighbour("Previous", previous)}
${neighbour("Next", next)}
</nav>
`;
  return shell(guide.title, guide, main, sectionList(sections));
}
