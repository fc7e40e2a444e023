import { insertNotice, markConnectionRevoked } from "@cardvault/db";
import type { MarketplacePort, MarketplaceResult, Seller } from "@cardvault/providers";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

type Needs = Pick<Services, "db" | "clock" | "logger">;

interface Watched {
  accountId: string;
  connectionId: string;
}

type SellerCall<Args extends unknown[], Result> = (
  seller: Seller,
  ...args: Args
) => Promise<Result>;

/**
 * The same port, which writes down and tells the account when a call is answered that its owner's consent
 * has ended: whoever asks, it is known from then on.
 */
export function watchPort(needs: Needs, port: MarketplacePort, watched: Watched): MarketplacePort {
  const watch =
    <Args extends unknown[], Result extends MarketplaceResult<object>>(
      call: SellerCall<Args, Result>,
    ): SellerCall<Args, Result> =>
    async (seller, ...args) => {
      const result = await call(seller, ...args);
      if (!result.ok && result.code === "consent_revoked") await writeRevoked(needs, watched);
      return result;
    };
  return {
    name: port.name,
    consentUrl: (state) => port.consentUrl(state),
    exchangeCode: (code, signal) => port.exchangeCode(code, signal),
    readSetup: watch((...args) => port.readSetup(...args)),
    createLocation: watch((...args: Parameters<MarketplacePort["createLocation"]>) =>
      port.createLocation(...args),
    ),
    readCategory: watch((...args: Parameters<MarketplacePort["readCategory"]>) =>
      port.readCategory(...args),
    ),
    putItem: watch((...args: Parameters<MarketplacePort["putItem"]>) => port.putItem(...args)),
    findOffer: watch((...args: Parameters<MarketplacePort["findOffer"]>) =>
      port.findOffer(...args),
    ),
    createOffer: watch((...args: Parameters<MarketplacePort["createOffer"]>) =>
      port.createOffer(...args),
    ),
    updateOffer: watch((...args: Parameters<MarketplacePort["updateOffer"]>) =>
      port.updateOffer(...args),
    ),
    publishOffer: watch((...args: Parameters<MarketplacePort["publishOffer"]>) =>
      port.publishOffer(...args),
    ),
    withdrawOffer: watch((...args: Parameters<MarketplacePort["withdrawOffer"]>) =>
      port.withdrawOffer(...args),
    ),
    readOrders: watch((...args: Parameters<MarketplacePort["readOrders"]>) =>
      port.readOrders(...args),
    ),
  };
}

/** Once for a connection, however many calls find it out. */
async function writeRevoked(
  { db, clock, logger }: Needs,
  { accountId, connectionId }: Watched,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (!(await markConnectionRevoked(tx, accountId, connectionId, now))) return;
    const actor = { kind: "system", id: null } as const;
    await writeTrail(tx, { accountId, actor }, now, "marketplace.revoked", null, {
      marketplace: "ebay",
    });
    await insertNotice(
      tx,
      {
        accountId,
        kind: "marketplace_revoked",
        endpointId: null,
        message:
          "eBay no longer lets us act for this account: the consent was withdrawn or has ended. " +
          "Nothing is published, changed or read there until an owner connects it again.",
        details: { marketplace: "ebay" },
        onceKey: `marketplace_revoked:${connectionId}:${now.toISOString()}`,
      },
      now,
    );
  });
  logger.info({ accountId }, "a marketplace's consent has ended");
}
