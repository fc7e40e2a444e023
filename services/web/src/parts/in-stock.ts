import { workflowStatuses } from "@cardvault/contract";

/** The stages of what is in stock: neither sold nor archived. Values and places count these alone. */
export const inStock = workflowStatuses.filter(
  (status) => status !== "sold" && status !== "archived",
);
