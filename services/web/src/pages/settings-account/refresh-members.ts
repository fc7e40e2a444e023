import { queryClient, trpc } from "../../app/trpc.ts";

/** Who is in the account, and what the trail says of it. Ends when those who are in it are there anew. */
export async function refreshMembers(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: trpc.accounts.trail.pathKey() });
  await queryClient.invalidateQueries(trpc.accounts.members.list.queryFilter());
}
