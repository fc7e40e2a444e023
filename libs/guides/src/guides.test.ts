import { eventTypes, restErrorCodes, waitsSeconds } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import { durationWords } from "./durations.ts";
import { guides } from "./guides.ts";
import { guidePageAt, guidePaths } from "./pages.ts";
import { stepsOf } from "./steps.ts";

const origin = "https://cards.example.org";
const operations = [
  { method: "GET", path: "/cards", limitClass: "read", scopes: ["cards:read"] },
] as const;
const pageAt = (path: string): string => guidePageAt(path, { origin, operations }) ?? "";

describe("a guide's steps", () => {
  test("are its blocks and what is done on pages, in turn", () => {
    const text = [
      "```sh\nexport A=1\n```",
      "<!-- action: register -->",
      "```js a.mjs\nlog(1)\n```",
      "```sh background\nnode a.mjs\n```",
      "```text output\n1\n```",
      "```sh needs=python3\npython3 a.py\n```",
      "```text meanwhile\n2\n```",
    ].join("\n\nText.\n\n");
    expect(stepsOf(text)).toEqual([
      { kind: "run", code: "export A=1", needs: null },
      { kind: "action", name: "register" },
      { kind: "file", name: "a.mjs", code: "log(1)" },
      { kind: "start", code: "node a.mjs" },
      { kind: "output", language: "text", text: "1" },
      { kind: "run", code: "python3 a.py", needs: "python3" },
      { kind: "meanwhile", text: "2" },
    ]);
  });

  test.each(["", "bash", "js", "json", "python", "sh then", "sh needs=", "js ../a.mjs", "go a.go"])(
    "a block that nothing can run is refused: “%s”",
    (mark) => {
      expect(() => stepsOf(`\`\`\`${mark}\nx\n\`\`\``)).toThrow(TypeError);
    },
  );

  test("a block that hides in a list is refused", () => {
    expect(() => stepsOf("- a\n  ```sh\n  curl x\n  ```\n")).toThrow(TypeError);
  });
});

describe("the guides", () => {
  test("each have a page with its title, and nothing inline", () => {
    expect(guidePaths).toHaveLength(guides.length + 1);
    for (const path of guidePaths) {
      const page = pageAt(path);
      const [, heading] = /<h1>(.+)<\/h1>/u.exec(page) ?? [];
      expect(page).toContain(`<title>${heading} · Card Vault</title>`);
      expect(page).not.toMatch(/<script(?! src="\/docs\/)|<style|style=|\son\w+=/u);
      expect(page.match(/<h1>/gu)).toHaveLength(1);
    }
    expect(guidePageAt("/docs/guides/none", { origin, operations })).toBeUndefined();
  });

  test("leave nothing to be filled in, and name this installation", () => {
    for (const path of guidePaths) {
      expect(pageAt(path)).not.toMatch(/\{\{|<!-- |vault\.example\.com/u);
    }
    expect(pageAt("/docs/guides/first-call")).toContain(origin);
  });

  test("lead from one to the next, and to headings that there are", () => {
    const idsIn = (page: string) => Array.from(page.matchAll(/ id="([^"]+)"/gu), ([, id]) => id);
    for (const path of guidePaths) {
      for (const [, href = ""] of pageAt(path).matchAll(/href="([^"]*)"/gu)) {
        const { pathname, hash } = new URL(href, `${origin}${path}`);
        if (!/^\/docs\/guides(?:\/|$)/u.test(pathname)) continue;
        expect(guidePaths).toContain(pathname);
        if (hash !== "")
          expect(idsIn(pageAt(pathname)), `the heading of ${href}`).toContain(hash.slice(1));
      }
    }
  });

  test("name every code, every event and every wait of the contract", () => {
    for (const code of restErrorCodes) {
      expect(pageAt("/docs/guides/errors")).toContain(`"Code"><code>${code}</code></td>`);
    }
    for (const name of eventTypes) {
      expect(pageAt("/docs/guides/events")).toContain(`<h2 id="${name.replace(".", "-")}">`);
    }
    const webhooks = pageAt("/docs/guides/webhooks");
    for (const wait of waitsSeconds) expect(webhooks).toContain(`<td>${durationWords(wait)}</td>`);
  });

  test.each([
    [1, "1 second"],
    [60, "60 seconds"],
    [300, "5 minutes"],
    [86_400, "24 hours"],
    [112_350, "31 hours 12 minutes 30 seconds"],
    [432_000, "5 days"],
  ])("%i s are said as %s", (seconds, words) => {
    expect(durationWords(seconds)).toBe(words);
  });
});
