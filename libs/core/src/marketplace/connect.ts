import { createHash, randomBytes } from "node:crypto";
import { marketplaceConnectAnswer, VaultError } from "@cardvault/contract";
import type { MarketplaceConnection } from "@cardvault/contract";
import { findConnection, insertConsent, markConnectionRestored } from "@cardvault/db";
import type { Access, SessionPrincipal } from "../context.ts";
import { session } from "../procedures.ts";
import { writeTrail } from "../trail.ts";
import { readConnection } from "./connection.ts";
import { closedError, marketplaceError } from "./marketplace-error.ts";
import { openMarketplace } from "./open-marketplace.ts";
import type { MarketplaceNeeds } from "./open-marketplace.ts";

/** For so long the marketplace's consent page may be looked at. */
const consentMs = 30 * 60_000;

interface Begun {
  consent_url: string | null;
  connection: MarketplaceConnection;
}

/**
 * Asks for an owner's consent: the address of the marketplace's page, which leads back to us with a state
 * that only this session can answer with, once, within half an hour. A test account needs no consent: it is
 * asked whether the sandbox takes it again.
 * @throws VaultError `conflict` where the installation has no application at the marketplace
 */
async function connectMarketplace(
  needs: MarketplaceNeeds,
  access: Access,
  { userId, sessionId }: Pick<SessionPrincipal, "userId" | "sessionId">,
): Promise<Begun> {
  const { db, clock, marketplaces } = needs;
  const { accountId } = access;
  if (access.environment === "test") return connectSandbox(needs, access);
  if (marketplaces.live === null) {
    const opened = await openMarketplace(needs, accountId);
    throw opened.isOpen ? new VaultError("conflict") : closedError(opened);
  }
  if (sessionId === undefined) throw new VaultError("sign_in_required");
  const state = randomBytes(32).toString("base64url");
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + consentMs);
  const asked = { accountId, marketplace: "ebay", userId, sessionId } as const;
  await db.transaction((tx) => insertConsent(tx, hashState(state), asked, { now, expiresAt }));
  return {
    consent_url: marketplaces.live.consentUrl(state),
    connection: await readConnection(needs, access),
  };
}

/** What the table of consents knows a state by. */
export function hashState(state: string): Buffer {
  return createHash("sha256").update(state, "utf8").digest();
}

async function connectSandbox(needs: MarketplaceNeeds, access: Access): Promise<Begun> {
  const { db, clock } = needs;
  const { accountId } = access;
  const stored = await findConnection(db, accountId);
  if (stored?.status === "revoked") {
    await db.transaction(async (tx) => {
      const now = clock.now();
      await markConnectionRestored(tx, accountId, now);
      await writeTrail(tx, access, now, "marketplace.connected", null, { marketplace: "ebay" });
    });
  }
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) throw closedError(opened);
  // Where its consent is still withdrawn there, this call says so, and it is revoked again.
  const setup = await opened.port.readSetup(opened.seller);
  if (!setup.ok) throw marketplaceError(setup);
  return { consent_url: null, connection: await readConnection(needs, access) };
}

export const connectProcedure = session("owner")
  .output(marketplaceConnectAnswer)
  .mutation(({ ctx }) => connectMarketplace(ctx.services, ctx.access, ctx.principal));
