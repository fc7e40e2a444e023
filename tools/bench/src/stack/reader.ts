import { join } from "node:path";
import { scopes } from "@cardvault/contract";
import { createKey, operatorAccess, setLimits } from "@cardvault/core";
import type { ReaderSettings } from "./card-reader.ts";
import { seedCards, someCards } from "./seed-cards.ts";
import type { Stack } from "./stack.ts";

const cardsBeside = 20_000;
const differentCards = 1_000;
const perSecond = 40;
const warmUp = 200;
const limits = { read: 1_000_000, write: 1_000_000, ai: 1_000_000 };

export interface Reader {
  /** How long each read took that was due while the work went on, in milliseconds. */
  during(work: () => Promise<unknown>): Promise<number[]>;
}

/** Somebody with a token who fetches other cards of an account, so many a second, beside what is measured. */
export async function openReader(stack: Stack, accountId: string): Promise<Reader> {
  const { services, databaseUrl, publicUrl } = stack;
  const access = await operatorAccess(services.db, accountId, "bench");
  await setLimits(services, access, limits);
  const { token } = await createKey(services, access, { name: "Reader", scopes });
  await seedCards({ databaseUrl, accountId, cards: cardsBeside });
  const ids = await someCards(databaseUrl, accountId, differentCards, ["priced", "identified"]);
  const program = await stack.start({ file: join(import.meta.dirname, "card-reader.ts") });
  const paths = ids.map((id) => `/cards/${id}`);
  const settings: ReaderSettings = { origin: publicUrl, paths, token, perSecond };
  await program.ask("read", { ...settings, count: warmUp });
  return {
    async during(work) {
      await program.ask("start", settings);
      await work();
      return program.ask<number[]>("stop");
    },
  };
}
