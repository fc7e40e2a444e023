import { VaultError } from "@cardvault/contract";
import { findPublication, getListing } from "@cardvault/db";
import type { Access } from "../context.ts";
import { syncSoon } from "../sales/sync-now.ts";
import type { Services } from "../services.ts";

type SandboxNeeds = Pick<Services, "db" | "clock" | "sandboxUrl">;

const askForMs = 5_000;

/**
 * Moves the marketplace's simulator for a test account, and has what it did read soon.
 * @param path below `/control`
 * @throws VaultError `not_found` for a live account: there is no such thing there; `invalid_transition` where the
 * simulator has no listing or order that this can be done with; `service_unavailable` where it is away
 */
export async function controlSandbox(
  needs: SandboxNeeds,
  access: Access,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  requireTestAccount(access);
  const { sandboxUrl } = needs;
  if (sandboxUrl === undefined) throw away();
  const answer = await fetch(`${sandboxUrl}/control${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(askForMs),
  }).catch((cause: unknown) => {
    throw away(cause);
  });
  if (answer.status === 404 || answer.status === 409) {
    await answer.body?.cancel();
    throw new VaultError("invalid_transition", {
      message: "The sandbox has nothing that this can be done with.",
    });
  }
  if (!answer.ok) throw away(new Error(await answer.text()));
  const found = (await answer.json()) as Record<string, unknown>;
  await syncSoon(needs, access);
  return found;
}

/** @throws VaultError `not_found` for a live account */
export function requireTestAccount({ environment }: Pick<Access, "environment">): void {
  if (environment !== "test") throw new VaultError("not_found");
}

/** Where the simulator has a seller: each test account is one. */
export function sellerPath({ accountId }: Pick<Access, "accountId">): string {
  return `/ebay/${encodeURIComponent(accountId)}`;
}

/**
 * What the simulator knows a listing by.
 * @throws VaultError `not_found` for a live account; `listing_not_found`; `invalid_transition` for one without a SKU
 */
export async function skuOfListing(
  { db }: Pick<Services, "db">,
  access: Access,
  listingId: string,
): Promise<{ sku: string; externalListingId: string | null }> {
  requireTestAccount(access);
  const listing = await getListing(db, access.accountId, listingId);
  const publication = await findPublication(db, access.accountId, listingId);
  if (publication === null || publication.sku === "") {
    throw new VaultError("invalid_transition", { message: "The sandbox knows no such listing." });
  }
  return { sku: publication.sku, externalListingId: listing.external_listing_id };
}

function away(cause?: unknown): VaultError {
  return new VaultError("service_unavailable", { retryAfterSeconds: 5, cause });
}
