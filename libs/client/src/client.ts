import { listOf, polledListOf } from "./lists.ts";
import type { ListOf, PolledListOf } from "./lists.ts";
import type { components, operations } from "./openapi.ts";
import { createSend } from "./request.ts";
import type { CallOptions, ChangeOptions, ClientOptions } from "./request.ts";

type Schemas = components["schemas"];
/** Filters that can be repeated may be given as one value. */
type Loose<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends readonly (infer One)[] | undefined
    ? One | readonly One[] | undefined
    : Filters[Name] | undefined;
};
type FiltersOf<Name extends keyof operations> = Loose<
  NonNullable<operations[Name]["parameters"]["query"]>
>;

export type Card = Schemas["Card"];
export type CardPatch = Schemas["CardPatch"];
export type Batch = Schemas["Batch"];
export type Listing = Schemas["Listing"];
export type IdentifyRequest = Schemas["IdentifyRequest"];
export type IdentifyAnswer = Schemas["IdentifyAnswer"];
export type PriceLookupRequest = Schemas["PriceLookupRequest"];
export type PriceLookupAnswer = Schemas["PriceLookupAnswer"];
export type PublishRequest = Schemas["PublishRequest"];
export type PublishDryRun = Schemas["PublishDryRun"];

/** The vault's API: a method for each operation, and iteration where there are pages. */
export interface VaultClient {
  readonly cards: PolledListOf<Card, FiltersOf<"cards-list">> & {
    /** @throws VaultApiError `card_not_found` */
    get(id: string, options?: CallOptions): Promise<Card>;
    /**
     * Changes the members that are given; `null` clears one.
     * @throws VaultApiError `precondition_failed` where `ifVersion` is not the card's version any more
     */
    update(
      id: string,
      patch: CardPatch,
      options?: ChangeOptions & { readonly ifVersion?: number | undefined },
    ): Promise<Card>;
  };
  readonly batches: PolledListOf<Batch, FiltersOf<"batches-list">> & {
    /** The cards of one batch. */
    cards(batchId: string): ListOf<Card, FiltersOf<"batches-cards">>;
  };
  readonly listings: PolledListOf<Listing, FiltersOf<"listings-list">> & {
    /**
     * Publishes a card: the listing is `publishing`, and `listing.published` tells when it is live.
     * @throws VaultApiError `already_listed`; `card_not_publishable` with every failed rule in `details`
     */
    publish(
      cardId: string,
      request?: Omit<PublishRequest, "dry_run">,
      options?: ChangeOptions,
    ): Promise<Listing>;
    /** Checks every rule and publishes nothing. */
    checkPublish(
      cardId: string,
      request?: Omit<PublishRequest, "dry_run">,
      options?: ChangeOptions,
    ): Promise<PublishDryRun>;
  };
  /** Which card it is, by image recognition and generative AI. Five calls a minute, price lookups included. */
  identify(request: IdentifyRequest, options?: ChangeOptions): Promise<IdentifyAnswer>;
  /** What it is worth. */
  lookUpPrices(request: PriceLookupRequest, options?: ChangeOptions): Promise<PriceLookupAnswer>;
}

/** A client of one key. It needs nothing but `fetch`, and keeps no connection of its own. */
export function createVaultClient(options: ClientOptions): VaultClient {
  const send = createSend(options);
  const bodyOf = async <Body>(request: Parameters<typeof send>[0]): Promise<Body> =>
    (await send(request)).body as Body;
  const pathOf = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;
  const post = <Body>(path: string, body: unknown, given?: ChangeOptions): Promise<Body> =>
    bodyOf({ method: "POST", path, body, options: given });
  return {
    cards: {
      ...polledListOf(send, "/cards"),
      get: (id, given) => bodyOf({ method: "GET", path: pathOf("cards", id), options: given }),
      update: (id, patch, given) =>
        bodyOf({
          method: "PATCH",
          path: pathOf("cards", id),
          body: patch,
          headers: given?.ifVersion === undefined ? {} : { "if-match": `"${given.ifVersion}"` },
          options: given,
        }),
    },
    batches: {
      ...polledListOf(send, "/batches"),
      cards: (batchId) => listOf(send, pathOf("batches", batchId, "cards")),
    },
    listings: {
      ...polledListOf(send, "/listings"),
      publish: (cardId, request, given) =>
        post(pathOf("listings", cardId, "publish"), request ?? {}, given),
      checkPublish: (cardId, request, given) =>
        post(pathOf("listings", cardId, "publish"), { ...request, dry_run: true }, given),
    },
    identify: (request, given) => post("/identify", request, given),
    lookUpPrices: (request, given) => post("/price-lookup", request, given),
  };
}
