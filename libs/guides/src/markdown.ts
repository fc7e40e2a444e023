import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import { Marked } from "marked";
import type { Tokens } from "marked";
import { escaped } from "./html.ts";
import { markOf } from "./steps.ts";
import type { BlockMark } from "./steps.ts";

for (const [name, language] of Object.entries({ http, json, python, sh: bash, js: javascript })) {
  highlighter.registerLanguage(name, language);
}

/** A heading of the second level, for the list beside the page. */
export interface Section {
  readonly id: string;
  readonly words: string;
}

/** So many columns do not fit beside each other on a phone. */
const wideColumns = 4;

const captions: Record<BlockMark["role"], string> = {
  run: "Shell",
  start: "Shell, runs until Ctrl-C",
  file: "",
  output: "Answer",
  meanwhile: "The receiver prints",
  example: "Example",
};

function captionOf({ role, name, language }: BlockMark): string {
  if (role === "file") return name ?? "";
  return role === "output" && language === "text" ? "Output" : captions[role];
}

function blockOf({ text, lang }: Tokens.Code): string {
  const mark = markOf(lang);
  const painted =
    mark.language === "text"
      ? escaped(text)
      : highlighter.highlight(text, { language: mark.language, ignoreIllegals: true }).value;
  const caption = captionOf(mark);
  const isAnswer = ["output", "meanwhile", "example"].includes(mark.role);
  // A wide block is scrolled by keyboard too, and so it can have the focus and has a name. A group is no
  // landmark: of those a page should have few.
  return `<figure class="block${isAnswer ? " is-answer" : ""}"${isAnswer ? "" : " data-copy"}>
<figcaption>${escaped(caption)}</figcaption>
<pre tabindex="0" role="group" aria-label="${escaped(caption)}"><code>${painted}</code></pre>
</figure>
`;
}

/** As it stands in addresses: `card.priced` is `card-priced`. */
function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** A guide's text as HTML, and its sections. */
export function htmlOf(markdown: string): { html: string; sections: Section[] } {
  const sections: Section[] = [];
  const marked = new Marked({
    renderer: {
      code: blockOf,
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const id = anchorOf(text);
        if (depth === 2) sections.push({ id, words: text });
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to ${escaped(text)}">#</a></h${depth}>\n`;
      },
      table(token) {
        // On a phone its rows are set one below the other, each cell with its column's name.
        const isWide = token.header.length >= wideColumns;
        const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): string =>
          `<tr>${cells
            .map(({ tokens }, column) => {
              const inner = this.parser.parseInline(tokens);
              if (tag === "th" && inner !== "") return `<th scope="col">${inner}</th>`;
              const name = isWide
                ? ` data-name="${escaped(token.header[column]?.text ?? "")}"`
                : "";
              return `<td${name}>${inner}</td>`;
            })
            .join("")}</tr>`;
        return `<div class="table${isWide ? " is-wide" : ""}" tabindex="0" role="group" aria-label="Table"><table>
<thead>${row(token.header, "th")}</thead>
<tbody>
${token.rows.map((cells) => row(cells, "td")).join("\n")}
</tbody></table></div>
`;
      },
      html({ text }) {
        return text.startsWith("<!--") ? "" : text;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), sections };
}
