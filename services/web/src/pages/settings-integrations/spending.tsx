import type { ProviderUsage } from "@cardvault/contract";
import { Button, NumberInput, Progress, Skeleton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";
import { counted } from "../../parts/words.ts";
import { providerWords } from "./provider-words.ts";

/** Providers bill in US dollars, whatever the account's own currency is. */
const microsInDollar = 1_000_000;
const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 4,
  minimumFractionDigits: 2,
});
const dollarWords = (micros: number): string => dollars.format(micros / microsInDollar);

/** What calls of providers have cost in this month, what they may, and the owner's budget. */
export function Spending({ isOwner }: { isOwner: boolean }) {
  const usage = useQuery(trpc.identifications.usage.queryOptions());
  return (
    <Section
      id="spending"
      title="Spent this month"
      lead="Since the month began (UTC), in US dollars. At a limit the next provider is asked; once the budget is spent, jobs wait and nothing that costs is asked."
    >
      {usage.data !== undefined ? (
        <Shown usage={usage.data} isOwner={isOwner} />
      ) : usage.isPending ? (
        <Skeleton height={140} aria-busy="true" />
      ) : (
        <ProblemPanel
          error={usage.error}
          what="What was spent"
          onRetry={() => void usage.refetch()}
        />
      )}
    </Section>
  );
}

function Shown({ usage, isOwner }: { usage: ProviderUsage; isOwner: boolean }) {
  const { spent_micros: spent, budget_micros: budget, engines } = usage;
  return (
    <>
      <p className="spent">
        <strong>{dollarWords(spent)}</strong>
        {budget === null ? " spent, no budget set" : ` of ${dollarWords(budget)}`}
      </p>
      {budget === null ? null : <Share label="Of the budget" part={spent} whole={budget} />}
      {isOwner ? <BudgetForm key={budget} saved={budget} /> : null}
      {engines.length === 0 ? (
        <p className="cell-sub">No provider was called this month.</p>
      ) : (
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Provider</th>
                <th scope="col" className="number">
                  Calls
                </th>
                <th scope="col" className="number">
                  Failed
                </th>
                <th scope="col" className="number">
                  Cost
                </th>
                <th scope="col">Limit</th>
              </tr>
            </thead>
            <tbody>
              {engines.map((engine) => (
                <tr key={engine.engine}>
                  <td className="fill">{providerWords(engine.engine)}</td>
                  <td className="narrow number">{engine.calls.toLocaleString()}</td>
                  <td className="narrow number">{engine.failures.toLocaleString()}</td>
                  <td className="narrow number">{dollarWords(engine.cost_micros)}</td>
                  <td className="narrow">
                    {engine.cap_micros === null ? (
                      "None"
                    ) : (
                      <>
                        {dollarWords(engine.cap_micros)}
                        <Share
                          label={`Of the limit at ${providerWords(engine.engine)}`}
                          part={engine.cost_micros}
                          whole={engine.cap_micros}
                        />
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Share({ label, part, whole }: { label: string; part: number; whole: number }) {
  const percent = whole === 0 ? 100 : Math.min(100, (part / whole) * 100);
  const isNear = percent >= 80;
  return (
    <Progress.Root size={6} my={4} miw={96}>
      <Progress.Section
        aria-label={`${label}: ${counted(Math.round(percent), "percent", "percent")}`}
        value={percent}
        color={percent >= 100 ? "red" : isNear ? "yellow" : "accent"}
      />
    </Progress.Root>
  );
}

function BudgetForm({ saved }: { saved: number | null }) {
  const [value, setValue] = useState<number | string>(saved === null ? "" : saved / microsInDollar);
  const micros = value === "" ? null : Math.round(Number(value) * microsInDollar);
  const save = useMutation(
    trpc.identifications.setBudget.mutationOptions({
      onSuccess(after) {
        queryClient.setQueryData(trpc.identifications.usage.queryKey(), after);
        notifications.show({
          message:
            after.budget_micros === null
              ? "A month may cost what it costs."
              : `A month may cost ${dollarWords(after.budget_micros)}.`,
        });
      },
    }),
  );
  return (
    <form
      className="form-row"
      style={{ margin: "12px 0 16px" }}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ budget_micros: micros });
      }}
    >
      <NumberInput
        label="Budget a month (USD)"
        description="Empty: no end"
        w={200}
        min={0}
        max={1_000_000}
        decimalScale={2}
        allowNegative={false}
        thousandSeparator=","
        value={value}
        onChange={setValue}
      />
      <Button type="submit" variant="default" disabled={micros === saved} loading={save.isPending}>
        Save budget
      </Button>
      <ProblemNote error={save.error} />
    </form>
  );
}
