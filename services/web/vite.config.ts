import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

/** Where `vite` finds a running service while pages are worked on. */
const serviceUrl = process.env["VAULT_URL"] ?? "http://127.0.0.1:3000";
/** Pages stand under /auth too, so only what sign-in itself answers goes to the service. */
const signInPaths = "^/auth/(?!invite$|reset$)";

/**
 * The one script that must run before the first paint, and so is no module. Its file's name changes
 * with its content like every other's, because files under /assets are kept for a year.
 */
function colorScheme(): Plugin {
  const source = "/src/look/color-scheme.js";
  return {
    name: "vault:color-scheme",
    apply: "build",
    buildStart() {
      const file = fileURLToPath(new URL(`.${source}`, import.meta.url));
      this.emitFile({ type: "asset", name: "color-scheme.js", source: readFileSync(file) });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const built = Object.keys(bundle).find((name) => name.includes("color-scheme-"));
        if (built === undefined) throw new Error("The build has no color-scheme.js");
        return html.replace(source, `/${built}`);
      },
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), colorScheme()],
  build: {
    target: "es2023",
    // The content security policy allows no data: addresses for scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes rarely stays in the browser's cache from one release to the next.
            {
              name: "react",
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 3,
            },
            {
              name: "data",
              test: /node_modules[\\/](@tanstack[\\/](query-core|react-query|react-router|router-core|history|store|react-store)|@trpc[\\/])/,
              priority: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/trpc": serviceUrl,
      "/cards": serviceUrl,
      "/photos": serviceUrl,
      "/docs": serviceUrl,
      [signInPaths]: serviceUrl,
    },
  },
});
