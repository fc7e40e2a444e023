import type { Environment } from "@cardvault/contract";
import type { Transaction } from "../connection/database.ts";
import type { ChangeRecorder } from "./change-recorder.ts";

/** What a change needs to know of its account, read with the lock. */
export interface ChangedAccount {
  /** ISO 4217 */
  currency: string;
  environment: Environment;
  skuFormat: string;
  isSuspended: boolean;
}

/** What a repository works in. */
export interface ChangePlace {
  readonly tx: Transaction;
  readonly accountId: string;
  readonly account: ChangedAccount;
  readonly stamp: Date;
  readonly recorder: ChangeRecorder;
}
