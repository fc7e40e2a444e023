import type { CardImport } from "@cardvault/contract";
import { openSession } from "../stack/session.ts";
import type { Stack } from "../stack/stack.ts";

/** A dealer who brings a card list. */
export interface BenchDealer {
  readonly accountId: string;
  upload(list: Blob): Promise<CardImport>;
  call(path: string, input: unknown): Promise<CardImport>;
  get(id: string): Promise<CardImport>;
  /** Takes a download to its end. Answers its lines and bytes. */
  download(query: string): Promise<{ lines: number; bytes: number }>;
}

/** Makes an account in a stack whose API runs, and signs its owner in. */
export async function openDealer(stack: Stack): Promise<BenchDealer> {
  const session = await openSession(stack, "Imports");
  return {
    accountId: session.accountId,
    upload(list) {
      const form = new FormData();
      form.append("file", list, "collection.csv");
      return session.send("/trpc/files/import", form);
    },
    call: (path, input) => session.mutate(path, input),
    get: (id) => session.query("imports.get", { id }),
    async download(of) {
      const response = await session.open(`/trpc/files/cards${of}`);
      let lines = 0;
      let bytes = 0;
      for await (const piece of response.body ?? []) {
        bytes += piece.length;
        for (const byte of piece) if (byte === 10) lines += 1;
      }
      return { lines, bytes };
    },
  };
}
