import type { CardSelection, PreviewPrices, PriceRule, PriceSkip } from "@cardvault/contract";
import { Box, Skeleton, Text } from "@mantine/core";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { formatAmount, formatMoney } from "../../parts/money.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";

const shownRows = 50;

const skipWords: Record<PriceSkip, string> = {
  no_market_price: "No market price",
  other_currency: "Market price in another currency",
  out_of_range: "Beyond what a price can be",
};

/** What a rule would make of the prices of a selection. */
export function usePricePreview(selection: CardSelection, rule: PriceRule | null) {
  return useQuery({
    // Asked by a mutation, because a selection may be larger than an address.
    queryKey: [...trpc.bulk.previewPrices.mutationKey(), { selection, rule }],
    queryFn:
      rule === null
        ? skipToken
        : ({ signal }): Promise<PreviewPrices> =>
            trpcClient.bulk.previewPrices.mutate({ selection, rule, rows: shownRows }, { signal }),
    placeholderData: keepPreviousData,
    // A job that has just looked prices up has changed what the same rule comes to.
    staleTime: 0,
  });
}

/** Sums of all cards, before and after of the first ones. */
export function PricePreview({ preview }: { preview: ReturnType<typeof usePricePreview> }) {
  if (preview.data !== undefined) return <Preview preview={preview.data} />;
  if (preview.isError) {
    return (
      <ProblemPanel
        error={preview.error}
        what="The preview"
        onRetry={() => void preview.refetch()}
      />
    );
  }
  return <Skeleton height={240} aria-busy="true" />;
}

function Preview({
  preview: { totals, rows, is_complete: isComplete },
}: {
  preview: PreviewPrices;
}) {
  const skipped = Object.entries(totals.skipped).filter(([, count]) => count > 0);
  return (
    <>
      <Text component="output">
        {counted(totals.changed, "price")} {totals.changed === 1 ? "changes" : "change"},{" "}
        {totals.unchanged.toLocaleString()} stay. Asked for all: {formatMoney(totals.before)} now,{" "}
        {formatMoney(totals.after)} then.
        {skipped.length === 0
          ? ""
          : ` Left alone: ${skipped.map(([kind, count]) => `${counted(count, "card")} (${skipWords[kind as PriceSkip].toLowerCase()})`).join(", ")}.`}
        {isComplete ? "" : " Of the first 100,000 cards."}
      </Text>
      {rows.length === 0 ? null : (
        <Box
          component="section"
          className="table-scroll batch-preview"
          tabIndex={0}
          aria-label="The first cards"
        >
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Card</th>
                <th scope="col" className="number">
                  Market ({totals.before.currency})
                </th>
                <th scope="col" className="number">
                  Now ({totals.before.currency})
                </th>
                <th scope="col" className="number">
                  Then ({totals.before.currency})
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.card.id}>
                  <td className="fill">
                    <span className="clip">{row.card.title ?? "Not identified"}</span>
                  </td>
                  <td className="narrow number">
                    {row.market_price === null ? "–" : formatAmount(row.market_price)}
                  </td>
                  <td className="narrow number">
                    {row.before === null ? "–" : formatAmount(row.before)}
                  </td>
                  <td className="narrow number">
                    {row.after === null ? (
                      <span className="cell-sub">
                        {row.skipped === null ? "–" : skipWords[row.skipped]}
                      </span>
                    ) : (
                      formatAmount(row.after)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Box>
      )}
    </>
  );
}
