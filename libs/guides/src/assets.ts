import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../assets", name), "utf8");

/** The files that the pages under `/docs` load, by their names there. */
export const assets = {
  /** The colours of the house and its head. */
  "house.css": read("house.css"),
  "guides.css": read("guides.css"),
  /** Takes the colour scheme of the other pages; before the first paint, and so no module. */
  "scheme.js": read("scheme.js"),
  /** Copies a block. */
  "copy.js": read("copy.js"),
} as const;
