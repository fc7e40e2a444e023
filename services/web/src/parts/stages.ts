import { workflowStatuses } from "@cardvault/contract";
import type { WorkflowStatus } from "@cardvault/contract";

/** What a sale and a marketplace make of a card is not set by hand. */
export const stagesByHand: readonly WorkflowStatus[] = workflowStatuses.filter(
  (status) => status !== "listed" && status !== "sold",
);

/** The stages that are offered for a card: where it is, and where it can be taken by hand. */
export function stagesFrom(now: WorkflowStatus): readonly WorkflowStatus[] {
  return stagesByHand.includes(now) ? stagesByHand : [now, ...stagesByHand];
}

/** The stages of what is in stock: neither sold nor archived. Values and places count these alone. */
export const inStock = workflowStatuses.filter(
  (status) => status !== "sold" && status !== "archived",
);
