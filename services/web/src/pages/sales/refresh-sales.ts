import { notifications } from "@mantine/notifications";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";

/** Everything that a change on this page can have changed. */
export async function refreshSales(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.sales.pathKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() }),
    queryClient.invalidateQueries(trpc.accounts.dashboard.queryFilter()),
  ]);
}

/** Says why something was not done, in the service's words. */
export function tellProblem(title: string, error: unknown): void {
  const problem = problemOf(error);
  const details = problem.details.map(({ message }) => message).join(" ");
  notifications.show({
    color: "red",
    title,
    message: details === "" ? problem.message : `${problem.message} ${details}`,
  });
}

/** Does one thing after the other; answers how many were done, and tells of the first that was not. */
export async function doEach<Item>(
  items: readonly Item[],
  title: string,
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  let failure: unknown;
  for (const item of items) {
    await work(item).then(
      () => (done += 1),
      (error: unknown) => (failure ??= error),
    );
  }
  if (failure !== undefined) tellProblem(title, failure);
  await refreshSales();
  return done;
}
