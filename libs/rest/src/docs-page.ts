import { houseBar, houseHead } from "@cardvault/guides";

/**
 * The page of the API reference: the house's own bar above Scalar's reference. Everything it needs is
 * a file of ours, so that it runs under the pages' content security policy and asks nobody else.
 */
export const page = `${houseHead("API reference", ["reference.css"])}<body>
${houseBar("/docs")}<div id="reference"></div>
<noscript>The API reference needs JavaScript. The same is described in <a href="/openapi.json">openapi.json</a>; the <a href="/docs/guides">guides</a> need none.</noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Nothing is loaded from elsewhere or sent there. The scheme is what the pages' own menu says, or else the
 * system, which Scalar follows by itself. Its buttons that copy a snippet have no name of their own.
 */
export const startScript = `const { scheme } = document.documentElement.dataset;
new MutationObserver(() => {
  for (const button of document.querySelectorAll(".scalar-code-copy:not([aria-label])")) {
    button.setAttribute("aria-label", "Copy");
  }
}).observe(document.querySelector("#reference"), { childList: true, subtree: true });
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
    // So that every snippet has the header, with words where a key of one's own belongs.
    authentication: { preferredSecurityScheme: "bearerToken" },
  })},
  ...(scheme === undefined ? {} : { forceDarkModeState: scheme }),
});
`;

/** The house's colours under Scalar's names. */
export const style = `:root {
  --scalar-custom-header-height: 48px;
  --scalar-font: var(--house-font);
  --scalar-font-code: var(--house-code);
  --scalar-radius: 4px;
  --scalar-radius-lg: 6px;
  --scalar-radius-xl: 8px;
}
html body.light-mode, html body.dark-mode, html body {
  --scalar-background-1: var(--house-panel);
  --scalar-background-2: var(--house-ground);
  --scalar-background-3: var(--house-sunk);
  --scalar-background-accent: var(--house-accent-ground);
  --scalar-color-1: var(--house-ink);
  --scalar-color-2: var(--house-ink-2);
  --scalar-color-3: var(--house-ink-3);
  --scalar-color-accent: var(--house-accent);
  --scalar-border-color: var(--house-line);
  --scalar-sidebar-background-1: var(--house-ground);
  --scalar-sidebar-color-1: var(--house-ink);
  --scalar-sidebar-color-2: var(--house-ink-2);
  --scalar-sidebar-border-color: var(--house-line);
  --scalar-sidebar-item-hover-background: var(--house-sunk);
  --scalar-sidebar-item-active-background: var(--house-accent-ground);
  --scalar-sidebar-color-active: var(--house-accent-ink);
  --scalar-color-green: var(--house-green);
  --scalar-color-red: var(--house-red);
  --scalar-color-yellow: var(--house-yellow);
  --scalar-color-orange: var(--house-yellow);
  --scalar-color-blue: var(--house-blue);
}
`;
