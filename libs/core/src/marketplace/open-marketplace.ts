import { randomUUID } from "node:crypto";
import { VaultError } from "@cardvault/contract";
import { findAccount, findConnection, insertSandboxConnection } from "@cardvault/db";
import type { SellerChoices, StoredConnection } from "@cardvault/db";
import type { MarketplacePort, Marketplaces, Seller } from "@cardvault/providers";
import type { Services } from "../services.ts";
import { chooseFromSetup, isComplete } from "./choose-from-setup.ts";
import { watchPort } from "./watch-port.ts";

/** What is needed to ask an account's marketplace. */
export type MarketplaceNeeds = Pick<
  Services,
  "db" | "clock" | "logger" | "secretBox" | "marketplaces"
>;

/** Sells nowhere. */
export const noMarketplaces: Marketplaces = { live: null, sandbox: null };

export interface OpenedMarketplace {
  readonly isOpen: true;
  /** Says of itself when the marketplace no longer takes the connection. */
  readonly port: MarketplacePort;
  readonly seller: Seller;
  /** What is published with; null where it is not chosen yet. */
  readonly choices: SellerChoices;
  readonly connection: StoredConnection;
}

/** Why an account's marketplace cannot be asked, in words for its members. */
export interface ClosedMarketplace {
  readonly isOpen: false;
  readonly code: "not_configured" | "not_connected" | "consent_revoked";
  readonly message: string;
}

const closed: Readonly<Record<ClosedMarketplace["code"], string>> = {
  not_configured: "This installation is not set up to sell on eBay.",
  not_connected: "The account is not connected to eBay.",
  consent_revoked: "eBay no longer lets us act for this account. It has to be connected again.",
};

/**
 * An account's marketplace: eBay for a live account that is connected, the sandbox for a test account,
 * which is connected from the start and set up with what the sandbox has. Nothing is asked of eBay here.
 * @throws VaultError `not_found` where there is no such account
 */
export async function openMarketplace(
  needs: MarketplaceNeeds,
  accountId: string,
): Promise<OpenedMarketplace | ClosedMarketplace> {
  const { db, clock, marketplaces, secretBox } = needs;
  const account = await findAccount(db, accountId);
  if (account === null) throw new VaultError("not_found");
  const isTest = account.environment === "test";
  const port = isTest ? marketplaces.sandbox : marketplaces.live;
  if (port === null) return closedBy("not_configured");
  let connection = await findConnection(db, accountId);
  if (connection === null && isTest) {
    await insertSandboxConnection(db, accountId, randomUUID(), clock.now());
    connection = await findConnection(db, accountId);
  }
  if (connection === null) return closedBy("not_connected");
  if (connection.status === "revoked") return closedBy("consent_revoked");
  const { id, sealedRefreshToken } = connection;
  const refreshToken =
    sealedRefreshToken === null ? sandboxToken(accountId) : secretBox.open(sealedRefreshToken, id);
  const opened: OpenedMarketplace = {
    isOpen: true,
    port: watchPort(needs, port, { accountId, connectionId: id }),
    seller: { key: accountId, refreshToken },
    choices: connection.choices,
    connection,
  };
  return isTest && !isComplete(connection.choices) ? withChoices(needs, opened) : opened;
}

/** The sandbox takes it without anybody having agreed. */
function sandboxToken(accountId: string): string {
  return `sandbox-${accountId}`;
}

/** As much as the sandbox has; where it is away, the next one who asks tries again. */
async function withChoices(
  needs: MarketplaceNeeds,
  opened: OpenedMarketplace,
): Promise<OpenedMarketplace> {
  const choices = await chooseFromSetup(needs, opened);
  return choices === null ? opened : { ...opened, choices };
}

function closedBy(code: ClosedMarketplace["code"]): ClosedMarketplace {
  return { isOpen: false, code, message: closed[code] };
}
