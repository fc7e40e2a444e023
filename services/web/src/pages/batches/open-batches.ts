import type { Batch } from "@cardvault/contract";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";

const most = 200;

/** Batches that take cards, the newest first: those to choose from. */
export function useOpenBatches(): readonly Batch[] {
  const batches = useQuery(
    trpc.batches.list.queryOptions({ status: ["open", "processing"], limit: most }),
  );
  return batches.data?.data ?? [];
}
