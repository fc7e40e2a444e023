import { hkdfSync } from "node:crypto";
import { createIdempotencyStore } from "@cardvault/db";
import type { Database, IdempotencyStore } from "@cardvault/db";
import { createSecretBox } from "@cardvault/kit";
import type { Clock, GuardedClient, Logger, SecretBox, SecretBoxKey } from "@cardvault/kit";
import { createPictureProcessor } from "@cardvault/photos";
import type { PictureProcessor, PictureStore } from "@cardvault/photos";
import type { Marketplaces } from "@cardvault/providers";
import { noMarketplaces } from "./marketplace/open-marketplace.ts";
import { noEngines } from "./identify/engines.ts";
import type { EnginesOf } from "./identify/engines.ts";
import { createPrincipalCache, principalsChannel } from "./keys/principal-cache.ts";
import type { PrincipalCache } from "./keys/principal-cache.ts";
import { openPictures } from "./photos/open-pictures.ts";
import type { PicturesConfig } from "./photos/open-pictures.ts";
import { createLiveHub } from "./live/live-hub.ts";
import type { LiveHub, LiveTimes } from "./live/live-hub.ts";
import { createPhotoUrls } from "./photos/photo-urls.ts";
import type { PhotoUrls } from "./photos/photo-urls.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createMemoryLimiter } from "./limits/memory-limiter.ts";
import type { SendTestEvent } from "./webhooks/test-sender.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

export interface CoreConfig extends PicturesConfig {
  /**
   * The service's own origin, without a slash at the end: for links and pictures, and the `Origin`
   * that a session's requests must have.
   */
  publicUrl: string;
  /**
   * What only the local start may do, and passes here from its own entry files: on plain HTTP,
   * cookies go without `Secure` and `__Host-`.
   */
  isPlainHttp: boolean;
  /** As above: test accounts may register receivers on loopback. */
  allowsLoopbackReceivers: boolean;
  /** All ports that receivers may have; 443 alone unless told. */
  receiverPorts?: readonly number[] | undefined;
}

/** What the use cases work with. Made once a process. */
export interface Services {
  db: Database;
  clock: Clock;
  logger: Logger;
  secretBox: SecretBox;
  config: CoreConfig;
  principals: PrincipalCache;
  signIn: SignIn;
  /** Who follows accounts in this process. */
  live: LiveHub;
  pictureStore: PictureStore;
  /** Decodes pictures, in threads of its own. */
  pictures: PictureProcessor;
  photoUrls: PhotoUrls;
  /** Reservations and answers of requests with an `Idempotency-Key`, for the REST adapter. */
  idempotency: IdempotencyStore;
  /** Counts what a use case limits itself: test events, sign-ins of one person. */
  limiter: Limiter;
  /** Missing in a process that sends nothing, as the operator's command line. */
  sendTestEvent?: SendTestEvent | undefined;
  /** Who identifies and who prices. */
  engines: EnginesOf;
  /** Where accounts sell. */
  marketplaces: Marketplaces;
  /** Where the sandbox is, whose controls test accounts move. Missing where there is none. */
  sandboxUrl?: string | undefined;
  /** Fetches photos from addresses that strangers chose. Missing in a process that fetches none. */
  photoClient?: GuardedClient | undefined;
  /** Waits for what is under way. The database is the caller's. */
  close(): Promise<void>;
}

export interface CreateServicesOptions {
  db: Database;
  /** Of the same database: sign-in has a few connections of its own. */
  databaseUrl: string;
  clock: Clock;
  logger: Logger;
  /** The first one seals and signs, all of them open. */
  encryptionKeys: readonly SecretBoxKey[];
  config: CoreConfig;
  /** Times that a test shortens. */
  live?: Partial<LiveTimes> | undefined;
  /** The caller's. In memory unless given. */
  limiter?: Limiter | undefined;
  sendTestEvent?: SendTestEvent | undefined;
  /** None unless given. */
  engines?: EnginesOf | undefined;
  /** Nowhere unless given. */
  marketplaces?: Marketplaces | undefined;
  /** None unless given. */
  sandboxUrl?: string | undefined;
  /** The caller's. */
  photoClient?: GuardedClient | undefined;
}

/** Begins to listen for revocations, and makes what the use cases work with. */
export async function createServices(options: CreateServicesOptions): Promise<Services> {
  const { db, databaseUrl, clock, logger, encryptionKeys, config } = options;
  const secretBox = createSecretBox(encryptionKeys);
  let isListening = (): boolean => false;
  const principals = createPrincipalCache(clock, () => isListening());
  const subscription = await db.listen(principalsChannel, () => principals.clear());
  isListening = () => subscription.connected();
  const [signInKey] = derivedKeys(encryptionKeys, "sign-in");
  const limiter = options.limiter ?? createMemoryLimiter();
  const signIn = await createSignIn({
    databaseUrl,
    publicUrl: config.publicUrl,
    secret: (signInKey ?? Buffer.alloc(0)).toString("base64url"),
    isPlainHttp: config.isPlainHttp,
    logger,
    clock,
    limiter,
    onSessionsEnded: () => db.notify(principalsChannel),
  });
  const live = createLiveHub({ db, clock, logger, times: options.live });
  const { pictureStore } = await openPictures(config);
  const pictures = createPictureProcessor();
  return {
    db,
    clock,
    logger,
    secretBox,
    config,
    principals,
    signIn,
    live,
    pictureStore,
    pictures,
    photoUrls: photoUrlsOf(config.publicUrl, encryptionKeys),
    idempotency: createIdempotencyStore(db),
    limiter,
    sendTestEvent: options.sendTestEvent,
    engines: options.engines ?? noEngines,
    marketplaces: options.marketplaces ?? noMarketplaces,
    sandboxUrl: options.sandboxUrl,
    photoClient: options.photoClient,
    async close() {
      await live.close();
      await subscription.close();
      await signIn.close();
      await pictures.close();
      pictureStore.close();
    },
  };
}

/** Addresses of pictures, the same in every process of an installation. */
export function photoUrlsOf(publicUrl: string, encryptionKeys: readonly SecretBoxKey[]): PhotoUrls {
  return createPhotoUrls(publicUrl, derivedKeys(encryptionKeys, "photo-urls"));
}

/** A key for one purpose from each encryption key (HKDF, RFC 5869): none serves two purposes. */
function derivedKeys(keys: readonly SecretBoxKey[], purpose: string): Buffer[] {
  return keys.map(({ key }) =>
    Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), `cardvault ${purpose}`, 32)),
  );
}
