import type { Page } from "playwright-core";
import type { InventoryAccount } from "../inventory/account.ts";
import type { Figures } from "../scenario.ts";
import type { Stack } from "../stack/stack.ts";

/** A kind of work in the pages, and what it measured. */
export interface Work {
  readonly name: string;
  /** What the seeded account lacks for it. */
  prepare?(stack: Stack, account: InventoryAccount): Promise<void>;
  run(page: Page, stack: Stack): Promise<WorkFigures>;
}

interface WorkFigures {
  /** From a key or a click to the frame that shows what it did, in ms, by kind. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** The most elements that the page had. */
  readonly elements: number;
  readonly others?: Figures;
}

export function countElements(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}
