import { lockAccount, writeProviderCap } from "@cardvault/db";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

/** What an account may spend at one provider. */
export interface ProviderCap {
  /** The provider's name, as identifications show it. */
  engine: string;
  /** Millionths of a US dollar in a month of UTC; null: no end; `default`: the installation's. */
  micros: number | null | "default";
}

/** Sets an account's own cap at one provider, for the command line. It counts from the next call on. */
export function setProviderCap(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { engine, micros }: ProviderCap,
): Promise<void> {
  const { accountId } = access;
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await writeProviderCap(tx, accountId, engine, micros);
    const details = { engine, cap_micros: micros };
    await writeTrail(tx, access, clock.now(), "account.provider_cap_set", accountId, details);
  });
}
