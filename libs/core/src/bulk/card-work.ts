import type { AccountUnit } from "@cardvault/db";
import type { CardOutcome, CardState } from "@cardvault/domain";

/** Why a card was left as it is, or what of it was. The code is for programs. */
export interface Remark {
  code: string;
  message: string;
}

/** What is to become of one card: a rule's outcome, or nothing. A refusal is thrown, as a VaultError. */
export type CardStep =
  | {
      type: "apply";
      outcome: CardOutcome;
      remark?: Remark | undefined;
      /** Writes what belongs to the change and is not the card's: behind it, in the same commit. */
      beside?: (() => Promise<void>) | undefined;
    }
  /** Only what stands beside the card changes. */
  | { type: "beside"; write: () => Promise<void> }
  | { type: "skip"; remark: Remark };

/**
 * What a kind of bulk job does with its cards. The frame selects them, makes chunks, commits, counts, keeps
 * what was refused, and goes on after a crash.
 */
export interface CardWork {
  /**
   * Before the account's clock is taken, for the cards of the next chunk: whatever takes long, as a call of
   * a provider. Its answer is given to `begin`. It may be asked for the same cards again after a crash.
   */
  prepare?: ((cardIds: readonly string[]) => Promise<unknown>) | undefined;
  /**
   * In the chunk's change: looks up what its cards have in common, and answers what decides about one.
   * It reads, and writes nothing: outcomes, and what is to stand beside them, are written by the frame.
   */
  begin(
    unit: AccountUnit,
    cardIds: readonly string[],
    prepared: unknown,
  ): Promise<(card: CardState) => CardStep | Promise<CardStep>>;
}
