import type { Card, CardCreate, ListingDetail } from "@cardvault/contract";
import type { JobRow } from "@cardvault/db";
import { readJob } from "@cardvault/db";
import { createLogger, toId, toUuid } from "@cardvault/kit";
import { createMarketplaces, createMemoryTurns, readProvidersConfig } from "@cardvault/providers";
import { createMemoryStore, startSimulators } from "@cardvault/simulators";
import { pictureBytes, upload } from "../photos/test-pictures.ts";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { workHandlers } from "../work/handlers.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";

/** What the simulated marketplace has of a SKU, and how often something was made for it. */
interface SimulatedListing {
  sku: string;
  offer_id: string;
  listing_id: string | null;
  listing_status: string | null;
  quantity: number | null;
  price: { value: string; currency: string } | null;
  offers_made: number;
  listings_made: number;
  withdrawn: number;
}

/** A service of the test's own whose marketplace is the simulated one, over HTTP. */
export interface Market {
  house: House;
  /** Requests that the marketplace has had, as `PUT /sell/…`. */
  requests: string[];
  dealer(name: string): Promise<Dealer>;
  /** A card that can be published. */
  card(dealer: Dealer, given?: CardCreate): Promise<Card>;
  /** One run of each open job of a listing, all of each of a selection, and of those that they make. */
  work(): Promise<JobRow[]>;
  /** What is asked of the marketplace by hand: sales, ends, options, consent. */
  control(dealer: Dealer, path: string, body?: object): Promise<unknown>;
  listings(dealer: Dealer): Promise<SimulatedListing[]>;
  fault(dealer: Dealer, fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** The events of an account's listing and its card, as they were fired. */
  events(dealer: Dealer, detail: Pick<ListingDetail, "listing">): Promise<string[]>;
  close(): Promise<void>;
}

/** One for all cards: what is in it matters to nobody here. */
let picture: Promise<Buffer> | undefined;

export async function openMarket(): Promise<Market> {
  const house = await openHouse();
  const { services, db, clock } = house;
  // Changes are stamped by the database's time, which waits and deadlines are compared with.
  clock.advance(Date.now() - clock.now().getTime());
  const requests: string[] = [];
  const simulators = await startSimulators({
    store: createMemoryStore(),
    clock,
    onRequest: (_protocol, { method, path }) => void requests.push(`${method} ${path}`),
  });
  const logger = createLogger({ name: "test", level: "silent" });
  services.marketplaces = createMarketplaces(
    { logger, turns: createMemoryTurns(), random: () => 0 },
    readProvidersConfig({ SANDBOX_URL: simulators.url }),
    () => clock.now(),
  );
  const handlers = workHandlers({
    ...services,
    publicUrl: services.config.publicUrl,
    retention: { attemptsMs: 1, eventsMs: 1, jobItemsMs: 1 },
    listings: services,
  });

  async function control(path: string, method: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${simulators.url}/control${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  return {
    house,
    requests,
    dealer: (name) => house.dealer(name, { environment: "test" }),
    async card(dealer, given = {}) {
      const made = await dealer.asOwner.cards.create({
        title: "Charged Serpent",
        game: "Runes of Avarra",
        set: "Storm Harbour",
        number: "12/180",
        condition: "near_mint",
        asking_price: { amount: 1_250, currency: "USD" },
        ...given,
      });
      picture ??= pictureBytes(1);
      const photo = await upload(house, dealer, await picture);
      const photos = [{ photo_id: photo.id, side: "front" as const }];
      return dealer.asOwner.photos.attach({ card_id: made.id, photos });
    },
    async work() {
      const ran = new Map<string, JobRow>();
      for (;;) {
        const open = await db.query<{ id: string }>(
          `select id from job where status in ('queued', 'running') and kind = any ($1)
             and not id = any ($2::uuid[]) order by id`,
          [[...handlers.keys()], [...ran.keys()].map((id) => toUuid(id))],
        );
        if (open.length === 0) return [...ran.values()];
        for (const row of open) {
          const id = toId("job", row.id);
          const job = await readJob(db, id);
          const handler = handlers.get(job?.kind ?? "");
          if (job === undefined || handler === undefined) continue;
          // A listing's job that waits is run again by the next call; a selection's is only cut into runs.
          const run = job.kind.endsWith("_listing") ? runChunk : runToEnd;
          ran.set(id, await run(house, handler, id));
        }
      }
    },
    control: ({ account }, path, body = {}) => control(`/ebay/${account.id}${path}`, "POST", body),
    async listings({ account }) {
      const { data } = (await control(`/ebay/${account.id}/listings`, "GET")) as {
        data: SimulatedListing[];
      };
      return data;
    },
    async fault({ account }, fault) {
      await control("/faults", "POST", { protocol: "ebay", key: account.id, ...fault });
    },
    async clearFaults() {
      await control("/faults", "DELETE");
    },
    async events({ account }, { listing }) {
      const rows = await db.query<{ type: string }>(
        `select type from webhook_event where account_id = $1 and body::jsonb -> 'data' ->> 'card_id' = $2
         order by id`,
        [toUuid(account.id), listing.card_id],
      );
      return rows.map(({ type }) => type);
    },
    async close() {
      await house.close();
      await simulators.stop();
    },
  };
}
