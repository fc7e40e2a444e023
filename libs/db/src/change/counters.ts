import { renderSku } from "@cardvault/domain";
import type { SkuValues } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import type { ChangePlace } from "./change-place.ts";

const largestBlock = 4_096;

/** The account's numbers for cards and batches, which stand in its clock's row. */
export class Counters {
  readonly #place: ChangePlace;
  #card: number;
  #batch: number;
  #isChanged = false;
  /** Given in this change; not all of them are written yet. */
  readonly #given = new Set<string>();
  #blockSize = 16;

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
    const [sku = ""] = await this.nextSkus([values]);
    return sku;
  }

  /**
   * The next free SKUs, one for each card, in their order: a block of numbers and one look for those that
   * are taken. Thousands at once cost one statement, unless somebody has numbered by hand before us.
   */
  async nextSkus(cards: readonly Omit<SkuValues, "counter">[]): Promise<string[]> {
    const skus = cards.map((values) => this.#sku(values, this.nextCardNumber()));
    const taken = await this.#takenSkus(skus);
    for (const [index, sku] of skus.entries()) {
      const isFree = !taken.has(sku) && !this.#given.has(sku);
      const free = isFree ? sku : await this.#passOver(cards[index] ?? {});
      this.#given.add(free);
      skus[index] = free;
    }
    return skus;
  }

  /** The first free one of ever larger blocks: whoever numbered ten thousand by hand is passed in a few. */
  async #passOver(values: Omit<SkuValues, "counter">): Promise<string> {
    for (;;) {
      const first = this.#card;
      const block = Array.from({ length: this.#blockSize }, (_, index) =>
        this.#sku(values, first + index),
      );
      const taken = await this.#takenSkus(block);
      const index = block.findIndex((sku) => !taken.has(sku) && !this.#given.has(sku));
      this.#card = first + (index === -1 ? block.length : index + 1);
      this.#isChanged = true;
      const free = block[index];
      if (free !== undefined) return free;
      this.#blockSize = Math.min(this.#blockSize * 4, largestBlock);
    }
  }

  #sku(values: Omit<SkuValues, "counter">, counter: number): string {
    return renderSku(this.#place.account.skuFormat, { ...values, counter });
  }

  async #takenSkus(skus: readonly string[]): Promise<Set<string>> {
    const rows = await this.#place.tx.query<{ sku: string }>(
      `select sku from card where account_id = $1 and sku = any ($2::text[])`,
      [toUuid(this.#place.accountId), skus],
      "taken_skus",
    );
    return new Set(rows.map(({ sku }) => sku));
  }

  /** The next free code, `B47`. */
  async nextBatchCode(): Promise<string> {
    for (;;) {
      const code = `B${this.nextBatchNumber()}`;
      if (!(await this.#isTaken(code))) return code;
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

  async #isTaken(code: string): Promise<boolean> {
    const rows = await this.#place.tx.query(
      `select 1 from batch where account_id = $1 and code = $2`,
      [toUuid(this.#place.accountId), code],
      "is_taken_batch",
    );
    return rows.length > 0;
  }
}
