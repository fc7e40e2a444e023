import type { Current } from "@cardvault/contract";
import { Menu, Text } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { IconCheck, IconFlask, IconPlus, IconSelector } from "@tabler/icons-react";
import { chooseAccount } from "./account.ts";
import { tellProblem } from "../parts/tell-problem.tsx";
import { forgetUndo } from "../parts/undo.tsx";
import { forgetJobs } from "./jobs.ts";
import { queryClient, trpc } from "./trpc.ts";

/** Shows which account this tab is in, and goes to another. */
export function AccountSwitcher({ current }: { current: Current }) {
  const navigate = useNavigate();
  const mine = useSuspenseQuery(trpc.accounts.mine.queryOptions()).data.data;
  const switchTo = useSwitchAccount();
  const createTest = useMutation(
    trpc.accounts.createTest.mutationOptions({
      onSuccess: (account) => switchTo(account.id),
      onError: (error) => tellProblem(error, { title: "No test account was made" }),
    }),
  );
  const hasTest = mine.some(({ account }) => account.live_account_id === current.account.id);
  const mayMakeTest =
    current.role === "owner" && current.account.environment === "live" && !hasTest;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button type="button" className="account-button">
          <span style={{ minWidth: 0, flex: 1 }}>
            <span className="visually-hidden">Account: </span>
            <span className="account-name">{current.account.name}</span>
          </span>
          {current.account.environment === "test" ? <span className="test-mark">Test</span> : null}
          <IconSelector size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {mine.map(({ account }) => (
          <Menu.Item
            key={account.id}
            onClick={() => {
              if (account.id === current.account.id) return;
              switchTo(account.id);
              void navigate({ to: "/" });
            }}
            rightSection={
              account.id === current.account.id ? (
                <IconCheck size={16} aria-label="Current" />
              ) : account.environment === "test" ? (
                <span className="test-mark">Test</span>
              ) : null
            }
          >
            <Text truncate>{account.name}</Text>
          </Menu.Item>
        ))}
        {mayMakeTest ? (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={createTest.isPending ? <IconFlask size={16} /> : <IconPlus size={16} />}
              disabled={createTest.isPending}
              onClick={() => createTest.mutate({})}
            >
              Make a test account
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Names another account from now on; nothing of the one before stays in the cache. */
export function useSwitchAccount(): (accountId: string) => void {
  return (accountId) => {
    chooseAccount(accountId);
    forgetUndo();
    forgetJobs();
    const mineKey = JSON.stringify(trpc.accounts.mine.queryKey());
    queryClient.removeQueries({
      predicate: ({ queryKey }) => JSON.stringify(queryKey) !== mineKey,
    });
    void queryClient.invalidateQueries(trpc.accounts.mine.queryFilter());
  };
}
