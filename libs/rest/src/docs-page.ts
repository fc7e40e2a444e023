/**
 * The page of the API reference: the house's own head above Scalar's reference. Everything it needs is
 * a file of ours, so that it runs under the pages' content security policy and asks nobody else.
 */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>API reference · Card Vault</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/house.css">
</head>
<body>
<header class="house-head">
<a class="house-wordmark" href="/" aria-label="Card Vault, dashboard">
<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<rect x="3" y="3.5" width="10.5" height="14.7" rx="2" fill="currentColor" opacity=".4" transform="rotate(-9 8.2 10.8)"/>
<rect x="8.5" y="3.5" width="10.5" height="14.7" rx="2" fill="currentColor"/>
<circle cx="13.75" cy="10.85" r="2.4" class="house-hole"/>
</svg>
<span>Card Vault</span>
</a>
<span class="house-title">API reference</span>
<nav aria-label="For developers">
<a href="/settings/api">API keys</a>
<a href="/settings/webhooks">Webhooks</a>
<a href="/events">Events</a>
<a href="/openapi.json">openapi.json</a>
</nav>
</header>
<div id="reference"></div>
<noscript>The API reference needs JavaScript. The same is described in <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Nothing is loaded from elsewhere or sent there. The scheme is what the pages' own menu says, or else the
 * system, as it is when the page is opened.
 */
export const startScript = `let scheme;
try {
  scheme = localStorage.getItem("mantine-color-scheme-value");
} catch {
  // A browser that forbids storage follows the system.
}
Scalar.createApiReference("#reference", {
  ...${JSON.stringify({
    url: "/openapi.json",
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    hideDarkModeToggle: true,
  })},
  forceDarkModeState:
    scheme === "light" || scheme === "dark"
      ? scheme
      : matchMedia("(prefers-color-scheme: dark)").matches
        ? "dark"
        : "light",
});
`;

/** The colours of the pages, in Scalar's names. */
export const style = `:root {
  --scalar-custom-header-height: 48px;
  --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --scalar-font-code: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
  --scalar-radius: 4px;
  --scalar-radius-lg: 6px;
  --scalar-radius-xl: 8px;
}
html, body { margin: 0; }
html body.light-mode, html body:not(.dark-mode) {
  --house-mark: #3d4bb8;
  --house-ground: #f7f7f8;
  --scalar-background-1: #ffffff;
  --scalar-background-2: #f7f7f8;
  --scalar-background-3: #efeff1;
  --scalar-background-accent: #eef0fb;
  --scalar-color-1: #1b1c20;
  --scalar-color-2: #43464d;
  --scalar-color-3: #5d616a;
  --scalar-color-accent: #3d4bb8;
  --scalar-border-color: #e4e5e8;
  --scalar-sidebar-background-1: #f7f7f8;
  --scalar-sidebar-color-1: #1b1c20;
  --scalar-sidebar-color-2: #43464d;
  --scalar-sidebar-border-color: #e4e5e8;
  --scalar-sidebar-item-hover-background: #efeff1;
  --scalar-sidebar-item-active-background: #eef0fb;
  --scalar-sidebar-color-active: #2b3587;
  --scalar-color-green: #15683b;
  --scalar-color-red: #a4231d;
  --scalar-color-yellow: #784f03;
  --scalar-color-orange: #784f03;
  --scalar-color-blue: #0b587a;
}
html body.dark-mode {
  --house-mark: #8a97e0;
  --house-ground: #141519;
  --scalar-background-1: #191a1f;
  --scalar-background-2: #23252b;
  --scalar-background-3: #2f3239;
  --scalar-background-accent: #2b3587;
  --scalar-color-1: #e6e7ea;
  --scalar-color-2: #c4c7cd;
  --scalar-color-3: #a3a7b0;
  --scalar-color-accent: #a3ade7;
  --scalar-border-color: #2f3239;
  --scalar-sidebar-background-1: #141519;
  --scalar-sidebar-color-1: #e6e7ea;
  --scalar-sidebar-color-2: #c4c7cd;
  --scalar-sidebar-border-color: #2f3239;
  --scalar-sidebar-item-hover-background: #23252b;
  --scalar-sidebar-item-active-background: #262a45;
  --scalar-sidebar-color-active: #c3caf0;
  --scalar-color-green: #79cb9b;
  --scalar-color-red: #ee918b;
  --scalar-color-yellow: #eabd5b;
  --scalar-color-orange: #eabd5b;
  --scalar-color-blue: #70b8da;
}
.house-head {
  position: sticky;
  top: 0;
  z-index: 100;
  display: flex;
  align-items: center;
  gap: 12px;
  box-sizing: border-box;
  height: 48px;
  padding: 0 20px;
  overflow-x: auto;
  border-bottom: 1px solid var(--scalar-border-color);
  background: var(--house-ground);
  color: var(--scalar-color-1);
  font: 14px/1.45 var(--scalar-font);
  white-space: nowrap;
}
.house-head a { color: inherit; text-decoration: none; }
.house-head nav { display: flex; gap: 16px; margin-left: auto; }
.house-head nav a { color: var(--scalar-color-2); }
.house-head nav a:hover { text-decoration: underline; }
.house-head a:focus-visible { outline: 2px solid var(--house-mark); outline-offset: 2px; }
.house-wordmark { display: inline-flex; align-items: center; gap: 8px; font-size: 15px; font-weight: 650; letter-spacing: -0.01em; }
.house-wordmark svg { color: var(--house-mark); }
.house-hole { fill: var(--house-ground); }
.house-title { padding-left: 12px; border-left: 1px solid var(--scalar-border-color); color: var(--scalar-color-2); }
@media (max-width: 560px) {
  .house-title, .house-wordmark span { display: none; }
}
`;
