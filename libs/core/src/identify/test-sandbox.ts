import { createHash } from "node:crypto";
import type { Card } from "@cardvault/contract";
import { createLogger } from "@cardvault/kit";
import { createMemoryTurns, createProviders, readProvidersConfig } from "@cardvault/providers";
import { createMemoryStore, drawSamplePhoto, startSimulators } from "@cardvault/simulators";
import type { FaultKind, SampleOutcome, Simulators } from "@cardvault/simulators";
import { provideInventedCatalogue } from "../catalogue/provide-invented.ts";
import { uploadPhoto } from "../photos/upload-photo.ts";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { enginesOf } from "./provider-engines.ts";

/** A service of the test's own whose providers are the simulators, over HTTP. */
export interface Sandbox {
  house: House;
  simulators: Simulators;
  /** Requests that a protocol has had. */
  requests: { protocol: string; path: string }[];
  /** A card with a sample photo, whose documented outcome the simulators give. */
  card(dealer: Dealer, outcome: SampleOutcome, given?: SampleCard): Promise<Card>;
  /** What the simulators do wrong for one account, until it is cleared. */
  fault(dealer: Dealer | null, protocol: string, fault: FaultKind, more?: object): Promise<void>;
  clearFaults(): Promise<void>;
  close(): Promise<void>;
}

interface SampleCard {
  /** Of the invented catalogue. */
  cardId?: string | undefined;
  batchId?: string | undefined;
}

const sampleCardId = "EMC-12";

export async function openSandbox(): Promise<Sandbox> {
  const house = await openHouse();
  const requests: Sandbox["requests"] = [];
  const simulators = await startSimulators({
    store: createMemoryStore(),
    clock: house.clock,
    onRequest: (protocol, { path }) => void requests.push({ protocol, path }),
  });
  const logger = createLogger({ name: "test", level: "silent" });
  const providers = createProviders(
    { logger, turns: createMemoryTurns(), random: () => 0 },
    readProvidersConfig({ SANDBOX_URL: simulators.url }),
  );
  house.services.engines = enginesOf(providers, null);
  await provideInventedCatalogue(house.services);

  async function control(method: "POST" | "DELETE", path: string, body?: object): Promise<void> {
    const answer = await fetch(`${simulators.url}/control${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  return {
    house,
    simulators,
    requests,
    async card(dealer, outcome, { cardId = sampleCardId, batchId } = {}) {
      const { asOwner, access } = dealer;
      const made = await asOwner.cards.create(batchId === undefined ? {} : { batch_id: batchId });
      const bytes = await drawSamplePhoto(cardId, outcome);
      const contentHash = createHash("sha256").update(bytes).digest();
      const file = { bytes, contentHash, byteSize: bytes.length };
      const photo = await uploadPhoto(house.services, access, { name: "front.jpg" }, file);
      return asOwner.photos.attach({
        card_id: made.id,
        photos: [{ photo_id: photo.id, side: "front" }],
      });
    },
    fault: (dealer, protocol, fault, more = {}) =>
      control("POST", "/faults", {
        protocol,
        fault,
        ...(dealer === null ? {} : { key: dealer.account.id }),
        ...more,
      }),
    clearFaults: () => control("DELETE", "/faults"),
    async close() {
      await house.close();
      await simulators.stop();
    },
  };
}
