import { renderSku } from "@cardvault/domain";
import type { SkuValues } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import type { ChangePlace } from "./change-place.ts";

/** The account's numbers for cards and batches, which stand in its clock's row. */
export class Counters {
  readonly #place: ChangePlace;
  #card: number;
  #batch: number;
  #isChanged = false;

  constructor(place: ChangePlace, nextCard: number, nextBatch: number) {
    this.#place = place;
    this.#card = nextCard;
    this.#batch = nextBatch;
  }

  /** A number that no card of the account was given before. */
  nextCardNumber(): number {
    this.#isChanged = true;
    return this.#card++;
  }

  nextBatchNumber(): number {
    this.#isChanged = true;
    return this.#batch++;
  }

  /** The next free SKU by the account's format. One that a person has given by hand is passed over. */
  async nextSku(values: Omit<SkuValues, "counter">): Promise<string> {
    for (;;) {
      const { skuFormat } = this.#place.account;
      const sku = renderSku(skuFormat, { ...values, counter: this.nextCardNumber() });
      if (!(await this.#isTaken("card", "sku", sku))) return sku;
    }
  }

  /** The next free code, `B47`. */
  async nextBatchCode(): Promise<string> {
    for (;;) {
      const code = `B${this.nextBatchNumber()}`;
      if (!(await this.#isTaken("batch", "code", code))) return code;
    }
  }

  async write(): Promise<void> {
    if (!this.#isChanged) return;
    await this.#place.tx.query(
      `update account_clock set next_card_number = $2, next_batch_number = $3 where account_id = $1`,
      [toUuid(this.#place.accountId), this.#card, this.#batch],
      "write_counters",
    );
  }

  async #isTaken(table: "card" | "batch", column: "sku" | "code", value: string): Promise<boolean> {
    const rows = await this.#place.tx.query(
      `select 1 from ${table} where account_id = $1 and ${column} = $2`,
      [toUuid(this.#place.accountId), value],
      `is_taken_${table}`,
    );
    return rows.length > 0;
  }
}
