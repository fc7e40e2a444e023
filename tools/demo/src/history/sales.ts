import { inThePast } from "./date-back.ts";
import { dayMs, minuteMs, someOf } from "./shop.ts";
import type { Shop } from "./shop.ts";

const soldCards = 46;
const longestAgoDays = 40;
const openingMinutes = { from: 10 * 60, to: 18 * 60 } as const;

/** Where cards are sold besides the marketplace, how often, and what is taken for it. */
const places = [
  { place: "Shop counter", weight: 5, feePercent: 0, notes: [null, null, "Regular", "Paid cash"] },
  { place: "Spring card show", weight: 3, feePercent: 0, notes: [null, "Table 41", "Bundle"] },
  { place: "Collectors’ group", weight: 2, feePercent: 5, notes: [null, "Shipped tracked"] },
] as const;

/** Sales made elsewhere over weeks, most on weekends, a little below what was asked for. */
export async function writeSales(shop: Shop): Promise<void> {
  const { owner, random, now } = shop;
  const stock = shop.cards.filter(
    ({ card, acquiredAt }) =>
      card.askingPriceCents !== null && now.getTime() - acquiredAt.getTime() > 10 * dayMs,
  );
  const weighted = places.flatMap((one) => Array.from({ length: one.weight }, () => one));
  await inThePast(shop, async () => {
    const times = new Map<string, Date>();
    for (const { id, card, acquiredAt } of someOf(random, stock, soldCards)) {
      const asked = card.askingPriceCents ?? 0;
      const { place, feePercent, notes } = random.pick(weighted);
      const quantity = card.quantity > 2 && random.chance(0.4) ? 2 : 1;
      const amount = Math.max(
        25,
        Math.round((asked * quantity * random.between(86, 100)) / 500) * 5,
      );
      const soldAt = dayOfSale(shop, acquiredAt);
      await owner.cards.recordSale({
        id,
        quantity,
        price: { amount, currency: "USD" },
        fee:
          feePercent === 0
            ? null
            : { amount: Math.round((amount * feePercent) / 100), currency: "USD" },
        place,
        note: random.pick<string | null>(notes),
        sold_at: soldAt.toISOString(),
      });
      times.set(id, soldAt);
    }
    return times;
  });
}

/** While the shop was open, after the card had come in; more often on a Saturday or Sunday. */
function dayOfSale({ random, now }: Shop, acquiredAt: Date): Date {
  const daysInStock = Math.floor((now.getTime() - acquiredAt.getTime()) / dayMs) - 2;
  const mostDaysAgo = Math.min(longestAgoDays, daysInStock);
  for (let tries = 0; ; tries += 1) {
    const midnight = new Date(now.getTime() - random.between(1, Math.max(1, mostDaysAgo)) * dayMs);
    midnight.setUTCHours(0, 0, 0, 0);
    const isWeekend = [0, 6].includes(midnight.getUTCDay());
    if (!isWeekend && tries < 3 && random.chance(0.45)) continue;
    const minutes = random.between(openingMinutes.from, openingMinutes.to);
    return new Date(midnight.getTime() + minutes * minuteMs);
  }
}
