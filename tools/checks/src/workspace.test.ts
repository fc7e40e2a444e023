import { expect, test } from "vitest";
import { importsOf, packageOf } from "./workspace.ts";

test("finds every form of import", () => {
  const text = [
    'import { a } from "one";',
    "import type {\n  B,\n  C,\n} from 'two/deep';",
    'import "three";',
    'export { d } from "./four.ts";',
    'const e = await import("@five/e/f");',
    'import g, * as h from "node:six";',
  ].join("\n");
  expect(importsOf(text)).toEqual([
    { name: "one", isTypeOnly: false },
    { name: "two/deep", isTypeOnly: true },
    { name: "three", isTypeOnly: false },
    { name: "./four.ts", isTypeOnly: false },
    { name: "@five/e/f", isTypeOnly: false },
    { name: "node:six", isTypeOnly: false },
  ]);
});

test("names the package of an import", () => {
  expect(["one", "two/deep", "@five/e/f", "./four.ts", "node:six"].map(packageOf)).toEqual([
    "one",
    "two",
    "@five/e",
    "",
    "",
  ]);
});
