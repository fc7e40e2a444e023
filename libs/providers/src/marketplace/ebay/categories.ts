import type { CategoryRules } from "../port.ts";
import type { EbayMarketplaceId } from "./access.ts";
import type { Send } from "./client.ts";
import {
  aspectsAnswer,
  categoryRulesOf,
  conditionPoliciesAnswer,
  conditionValuesOf,
  treeAnswer,
} from "./conditions.ts";
import type { ConditionValues } from "./conditions.ts";
import { KeptFor } from "./kept-for.ts";

const keptMs = 12 * 3_600_000;
const taxonomy = "/commerce/taxonomy/v1";

/** What eBay wants to know of a card in a category, asked once in half a day: the same for all sellers. */
export class EbayCategories {
  readonly #marketplaceId: EbayMarketplaceId;
  readonly #conditions = new KeptFor<ConditionValues>(keptMs);
  readonly #rules = new KeptFor<CategoryRules>(keptMs);

  constructor(marketplaceId: EbayMarketplaceId) {
    this.#marketplaceId = marketplaceId;
  }

  conditionsOf(send: Send, categoryId: string): Promise<ConditionValues> {
    return this.#conditions.get(categoryId, async () => {
      const query = new URLSearchParams({ filter: `categoryIds:{${categoryId}}` });
      const path = `/sell/metadata/v1/marketplace/${this.#marketplaceId}/get_item_condition_policies?${query.toString()}`;
      const answer = await send({ path }, conditionPoliciesAnswer.optional());
      return conditionValuesOf(answer, categoryId);
    });
  }

  rulesOf(send: Send, categoryId: string): Promise<CategoryRules> {
    return this.#rules.get(categoryId, async () => {
      const values = await this.conditionsOf(send, categoryId);
      const { categoryTreeId } = await send(
        { path: `${taxonomy}/get_default_category_tree_id?marketplace_id=${this.#marketplaceId}` },
        treeAnswer,
      );
      const query = new URLSearchParams({ category_id: categoryId });
      const tree = encodeURIComponent(categoryTreeId ?? "0");
      const path = `${taxonomy}/category_tree/${tree}/get_item_aspects_for_category?${query.toString()}`;
      return categoryRulesOf(values, await send({ path }, aspectsAnswer.optional()));
    });
  }
}
