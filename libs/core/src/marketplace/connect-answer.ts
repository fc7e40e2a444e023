import { randomUUID } from "node:crypto";
import type { ConsentOutcome } from "@cardvault/contract";
import { findMembership, takeConsent, writeConnection } from "@cardvault/db";
import type { AskedConsent, Queryable } from "@cardvault/db";
import type { SellerConsent } from "@cardvault/providers";
import type { PersonPrincipal, SessionPrincipal } from "../context.ts";
import { writeTrail } from "../trail.ts";
import { chooseFromSetup } from "./choose-from-setup.ts";
import { hashState } from "./connect.ts";
import { openMarketplace } from "./open-marketplace.ts";
import type { MarketplaceNeeds } from "./open-marketplace.ts";

const maxLength = 8_000;

/**
 * The marketplace's answer to a consent that was asked for, as the browser brings it back. The state is
 * taken first, so that an answer counts once, and only in the session that asked; then the code is exchanged
 * and the refresh token sealed. Whoever is no owner any more by then connects nothing.
 */
export async function answerConsent(
  needs: MarketplaceNeeds,
  person: PersonPrincipal | SessionPrincipal | null,
  query: { readonly state?: unknown; readonly code?: unknown },
): Promise<ConsentOutcome> {
  const { db, clock, marketplaces } = needs;
  const state = textOf(query.state);
  if (person?.sessionId === undefined || state === null) return "expired";
  const { userId, sessionId } = person;
  const asked = await db.transaction((tx) =>
    takeConsent(tx, hashState(state), { userId, sessionId }, clock.now()),
  );
  if (asked === null) return "expired";
  const code = textOf(query.code);
  if (code === null) return "declined";
  if (!(await mayConnect(db, asked)) || marketplaces.live === null) return "failed";
  const consent = await marketplaces.live.exchangeCode(code);
  if (!consent.ok) return "failed";
  return (await keepConsent(needs, asked, consent)) ? "connected" : "failed";
}

/** Still an owner, of an account that still may. */
async function mayConnect(db: Queryable, { accountId, userId }: AskedConsent): Promise<boolean> {
  const membership = await findMembership(db, accountId, userId);
  return (
    membership?.role === "owner" &&
    membership.account.status !== "suspended" &&
    membership.account.environment === "live"
  );
}

async function keepConsent(
  needs: MarketplaceNeeds,
  asked: AskedConsent,
  { refreshToken, refreshTokenEndsAt }: SellerConsent,
): Promise<boolean> {
  const { db, clock, secretBox, logger } = needs;
  const { accountId, marketplace, userId } = asked;
  const id = randomUUID();
  const sealedRefreshToken = secretBox.seal(refreshToken, id);
  const isKept = await db.transaction(async (tx) => {
    if (!(await mayConnect(tx, asked))) return false;
    const now = clock.now();
    const connection = { id, marketplace, sealedRefreshToken, refreshTokenEndsAt, userId };
    await writeConnection(tx, accountId, connection, now);
    const access = { accountId, actor: { kind: "member", id: userId } } as const;
    await writeTrail(tx, access, now, "marketplace.connected", null, { marketplace });
    return true;
  });
  if (!isKept) return false;
  // What there is only one of is chosen now. It can be done later as well.
  try {
    const opened = await openMarketplace(needs, accountId);
    if (opened.isOpen) await chooseFromSetup(needs, opened);
  } catch (error) {
    logger.warn({ err: error, accountId }, "a seller's setup could not be read");
  }
  return true;
}

function textOf(given: unknown): string | null {
  return typeof given === "string" && given !== "" && given.length <= maxLength ? given : null;
}
