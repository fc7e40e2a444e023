import { queryClient, trpc } from "../../app/trpc.ts";

/** Who is in the account, and what the trail says of it. */
export function refreshMembers(): void {
  void queryClient.invalidateQueries(trpc.accounts.members.list.queryFilter());
  void queryClient.invalidateQueries({ queryKey: trpc.accounts.trail.pathKey() });
}
