import type { WorkHandler } from "../../work/handler.ts";
import type { CardNeeds } from "../identify.ts";
import { identifyWork } from "./identify-work.ts";
import { priceWork } from "./price-work.ts";
import { providerHandler } from "./provider-handler.ts";

/** The handlers of jobs that ask providers about many cards. */
export function providerHandlers(needs: CardNeeds): [string, WorkHandler][] {
  return [
    ["bulk.identify", providerHandler({ needs, work: (task) => identifyWork(needs, task) })],
    ["bulk.lookup_prices", providerHandler({ needs, work: (task) => priceWork(needs, task) })],
  ];
}
