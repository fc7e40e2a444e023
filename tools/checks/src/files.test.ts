import { expect, test } from "vitest";
import { files } from "./workspace.ts";

const machinePaths = ["work", "root", "home/[a-z]+", "Users/[A-Za-z]+"].map(
  (folder) => new RegExp(`(?<![\\w.:*@-])/${folder}/[\\w.]`, "u"),
);
const registryHosts = [/registry\.(?:npmjs|yarnpkg)/u, /(?:resolved|tarball):? ?"?https?:/u];
const defaultExport = /^export default\b|^export \{[^}]*\bas default\b/mu;
/** What a tool loads by its default export. */
const configFile = /(?:^|\/)(?:vitest|vite|playwright)\.config\.ts$/u;
const liveKey = /\bcv_live_[0-9A-Za-z]{38}\b/u;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/]{40}/u;

const tracked = files();
const naming = (pattern: RegExp): string[] =>
  tracked.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test("there are files to check", () => {
  expect(tracked.map(({ path }) => path)).toContain("package.json");
});

test("no file names a folder of one machine", () => {
  expect(machinePaths.flatMap(naming)).toEqual([]);
});

test("no file names a registry's host", () => {
  expect(registryHosts.flatMap(naming)).toEqual([]);
});

test("no file carries a private key", () => {
  expect(naming(privateKey)).toEqual([]);
});

test("a live token stands in no file but as a documented example", () => {
  const found = naming(liveKey).filter((path) => !/\.test\.tsx?$|^libs\/contract\//u.test(path));
  expect(found).toEqual([]);
});

test("no source has a default export", () => {
  const found = tracked
    .filter(({ path }) => /\.(?:ts|tsx|mjs)$/u.test(path) && !configFile.test(path))
    .filter(({ text }) => defaultExport.test(text))
    .map(({ path }) => path);
  expect(found).toEqual([]);
});
