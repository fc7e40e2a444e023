import { escaped } from "./html.ts";

/** What every page under `/docs` has in its head. Everything it loads is a file of ours. */
export function houseHead(title: string, styles: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · Card Vault</title>
<link rel="icon" href="/favicon.ico">
<script src="/docs/scheme.js"></script>
${["house.css", ...styles].map((name) => `<link rel="stylesheet" href="/docs/${name}">`).join("\n")}
</head>
`;
}

const places = [
  { href: "/docs/guides", words: "Guides" },
  { href: "/docs", words: "Reference" },
  { href: "/settings/api", words: "API keys" },
  { href: "/settings/webhooks", words: "Webhooks" },
  { href: "/events", words: "Events" },
  { href: "/openapi.json", words: "openapi.json" },
] as const;

/** The bar above every page under `/docs`. @param current the place of the page that is shown */
export function houseBar(current: "/docs" | "/docs/guides"): string {
  const links = places.map(({ href, words }) => {
    const mark = href === current ? ' aria-current="page"' : "";
    return `<a href="${href}"${mark}>${words}</a>`;
  });
  return `<header class="house-head">
<a class="house-wordmark" href="/" aria-label="Card Vault, dashboard">
<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<rect x="3" y="3.5" width="10.5" height="14.7" rx="2" fill="currentColor" opacity=".4" transform="rotate(-9 8.2 10.8)"/>
<rect x="8.5" y="3.5" width="10.5" height="14.7" rx="2" fill="currentColor"/>
<circle cx="13.75" cy="10.85" r="2.4" class="house-hole"/>
</svg>
<span>Card Vault</span>
</a>
<nav aria-label="For developers">
${links.join("\n")}
</nav>
</header>
`;
}
