import type { Current } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useSwitchAccount } from "../../app/account-switcher.tsx";
import { trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";

/** The test account beside a live one, or the live one beside this test account. */
export function TestAccount({ current: { account, role } }: { current: Current }) {
  const mine = useSuspenseQuery(trpc.accounts.mine.queryOptions()).data.data;
  const switchTo = useSwitchAccount();
  const create = useMutation(
    trpc.accounts.createTest.mutationOptions({ onSuccess: ({ id }) => switchTo(id) }),
  );
  const isTest = account.environment === "test";
  const other = mine.find((one) =>
    isTest
      ? one.account.id === account.live_account_id
      : one.account.live_account_id === account.id,
  )?.account;
  if (isTest && other === undefined) return null;
  return (
    <Section
      id="test"
      title={isTest ? "The live account beside it" : "Test account"}
      lead={
        isTest
          ? "Cards, keys and endpoints of the two are apart; a key that begins with cv_test_ opens this one alone."
          : "To try imports, keys and webhooks in: identification, prices and the marketplace are simulated there, and its keys begin with cv_test_."
      }
    >
      {other !== undefined ? (
        <div className="form-row">
          <strong className="wrap">{other.name}</strong>
          <Button variant="default" onClick={() => switchTo(other.id)}>
            Switch to it
          </Button>
        </div>
      ) : role === "owner" ? (
        <div className="form-row">
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate({})}>
            Make a test account
          </Button>
          <ProblemNote error={create.error} />
        </div>
      ) : (
        <span className="cell-sub">There is none yet. An owner can make one.</span>
      )}
    </Section>
  );
}
