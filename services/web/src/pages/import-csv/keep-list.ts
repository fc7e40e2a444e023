import type { CardImport } from "@cardvault/contract";
import type { QueryKey } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";

/** The latest of what is known of an import, for whoever shows it; its rows are asked for again. */
export function keepList(list: CardImport): void {
  const key: QueryKey = trpc.imports.get.queryKey({ id: list.id });
  queryClient.setQueryData<CardImport>(key, list);
  void queryClient.invalidateQueries({ queryKey: trpc.imports.rows.pathKey() });
}
