import type { Card, CardChange, CardPatch, PriceLookupAnswer } from "@cardvault/contract";
import { Button, Group, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";
import { formatMoney } from "../../parts/money.ts";
import { PriceChart, priceKindWords, sourceName } from "../../parts/price-chart.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { counted } from "../../parts/words.ts";
import { ChangeNote, useCardChange } from "./card-change.tsx";
import { PriceFields } from "./fields.tsx";
import type { MemberValue } from "./save-card.ts";

const failureWords: Record<PriceLookupAnswer["failures"][number]["error"], string> = {
  no_match: "does not know the card",
  error: "failed",
  timeout: "did not answer in time",
  rate_limited: "is asked too often",
};

/** What is asked for the card, what it cost, and what others say that it is worth. */
export function Prices(props: { card: Card; currency: string; changes: readonly CardChange[] }) {
  const { card, currency } = props;
  const history = useQuery(trpc.prices.history.queryOptions({ card_id: card.id }));
  const lookUp = useMutation(
    trpc.prices.lookUp.mutationOptions({
      onSuccess: async (_answer, { apply }) => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.prices.history.queryFilter({ card_id: card.id })),
          ...(apply === true
            ? [
                queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id: card.id })),
                queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() }),
              ]
            : []),
        ]);
      },
    }),
  );
  const points = history.data?.data ?? [];
  return (
    <section aria-labelledby="price">
      <SectionHead id="price" title="Price">
        <Button
          size="xs"
          variant="default"
          loading={lookUp.isPending}
          onClick={() => lookUp.mutate({ card_id: card.id })}
        >
          Look up now
        </Button>
      </SectionHead>
      <div className="panel fact-panel">
        <PriceFields {...props} record={undefined} />
        <MarketPrice card={card} />
        <ProblemNote error={lookUp.error} />
        {lookUp.data === undefined ? null : (
          <Quotes
            card={card}
            answer={lookUp.data}
            isKeeping={lookUp.isPending}
            onKeep={() => lookUp.mutate({ card_id: card.id, apply: true })}
          />
        )}
        {history.isPending ? (
          <Skeleton height={220} />
        ) : history.data === undefined ? (
          <ProblemPanel
            error={history.error}
            what="The price history"
            onRetry={() => void history.refetch()}
          />
        ) : points.length === 0 ? (
          <p className="cell-sub">
            No prices are known yet. Each look-up adds one point of each source and day.
          </p>
        ) : (
          <PriceChart points={points} currency={currency} />
        )}
      </div>
    </section>
  );
}

const askWords = {
  done: (saved: Card) => `It asks ${askedPrice(saved)}`,
  wanted: ({ title }: Card, value: MemberValue) =>
    `Asking price of ${title ?? "a card that is not identified"}: ${askedPrice({ asking_price: value as Card["asking_price"] })}`,
};

function askedPrice({ asking_price: price }: Pick<CardPatch, "asking_price">): string {
  return price == null ? "nothing" : formatMoney(price);
}

function MarketPrice({ card }: { card: Card }) {
  const { market_price: market } = card;
  const ask = useCardChange(card, "asking_price", askWords);
  if (market === null) return null;
  const { amount, currency } = market;
  const asking = ask.shown.asking_price;
  const isAsked = asking?.amount === amount && asking.currency === currency;
  return (
    <p className="market-price">
      Market price <strong>{formatMoney(market)}</strong>
      <span className="cell-sub">
        {sourceName(market.source)}, <RelativeTime at={market.as_of} />
      </span>
      {isAsked || amount === 0 ? null : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => ask.save({ amount, currency }, ask.shown)}
        >
          Ask this
        </Button>
      )}
      <ChangeNote change={ask} name="asking_price" valueOf={askedPrice} />
    </p>
  );
}

/** What all sources have just said, and what follows from it. */
function Quotes(props: {
  card: Card;
  answer: PriceLookupAnswer;
  isKeeping: boolean;
  onKeep: () => void;
}) {
  const { card, answer } = props;
  const { quotes, suggestion, failures } = answer;
  const ask = useCardChange(card, "asking_price", askWords);
  const isKept =
    suggestion !== null &&
    card.market_price?.amount === suggestion.amount &&
    card.market_price.currency === suggestion.currency;
  return (
    <div className="quotes">
      <Group gap="xs">
        <strong>
          {suggestion === null
            ? "The sources know too little for a suggestion"
            : `Suggested: ${formatMoney(suggestion)}`}
        </strong>
        {suggestion === null ? null : (
          <>
            {isKept ? null : (
              <Button
                size="compact-xs"
                variant="default"
                loading={props.isKeeping}
                onClick={props.onKeep}
              >
                Keep as market price
              </Button>
            )}
            {suggestion.amount === 0 ? null : (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => ask.save(suggestion, ask.shown)}
              >
                Ask this
              </Button>
            )}
          </>
        )}
      </Group>
      <ChangeNote change={ask} name="asking_price" valueOf={askedPrice} />
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Says</th>
            <th scope="col">Range</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {quotes.map((quote) => (
            <tr key={`${quote.source} ${quote.kind}`}>
              <th scope="row">
                {sourceName(quote.source)}, {priceKindWords[quote.kind]}
              </th>
              <td>{quote.price === null ? "Too little known" : formatMoney(quote.price)}</td>
              <td>
                {quote.low === null || quote.high === null
                  ? "–"
                  : `${formatMoney(quote.low)} to ${formatMoney(quote.high)}`}
              </td>
              <td>
                {quote.sample_size === null ? null : `${counted(quote.sample_size, "sale")}, `}
                <RelativeTime at={quote.as_of} />
              </td>
            </tr>
          ))}
          {failures.map(({ source, error }) => (
            <tr key={`${source} failed`}>
              <th scope="row">{sourceName(source)}</th>
              <td colSpan={3}>{failureWords[error]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
