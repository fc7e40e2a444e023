import type { CardCreate, Card, WorkflowStatus } from "@cardvault/contract";
import type { RowProblem } from "./csv/csv-reader.ts";

/** What a row says of a card. A member that is absent was blank. */
export type MappedCard = Omit<CardCreate, "batch_id"> & {
  card_id?: string | undefined;
  market_price?: Card["market_price"] | undefined;
  workflow_status?: WorkflowStatus | undefined;
};

export interface MappedRow {
  readonly card: MappedCard;
  readonly problems: readonly RowProblem[];
  /** Every cell is blank, or the list says that nothing of it is there: the row is passed over. */
  readonly isIgnored: boolean;
}
