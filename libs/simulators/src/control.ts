import * as z from "zod";
import { anyKey, clearFaults, fault, setFault } from "./faults.ts";
import { samplePhotos, drawSamplePhoto } from "./sample-photos.ts";
import type { SimulatedRequest } from "./protocol.ts";
import type { SimulatorStore } from "./store.ts";

const setting = fault.extend({
  protocol: z.string().min(1).max(40),
  /** The key whose requests have the fault; all of the protocol unless told. */
  key: z.string().min(1).max(200).default(anyKey),
});

export interface ControlAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

const json = (status: number, value: unknown): ControlAnswer => ({
  status,
  type: "application/json",
  body: JSON.stringify(value),
});

/** `/control`: faults, and the sample photos. Reachable from inside only, as all of the sandbox. */
export async function control(
  store: SimulatorStore,
  { method, path, query, body }: SimulatedRequest,
  protocols: readonly string[],
): Promise<ControlAnswer> {
  if (path === "/faults" && method === "POST") {
    const read = setting.safeParse(parsed(body));
    if (!read.success || !protocols.includes(read.data.protocol)) {
      return json(400, { error: "Give a protocol, a fault and what the fault needs.", protocols });
    }
    const { protocol, key, ...wanted } = read.data;
    await setFault(store, protocol, key, wanted);
    return json(200, { protocol, key, ...wanted });
  }
  if (path === "/faults" && method === "DELETE") {
    await clearFaults(store, query.get("protocol") ?? "", query.get("key") ?? "");
    return json(200, {});
  }
  if (path === "/photos" && method === "GET") return json(200, { photos: samplePhotos });
  const [, name] = /^\/photos\/([a-z_]+)\.jpg$/.exec(path) ?? [];
  const photo = samplePhotos.find(({ outcome }) => outcome === name);
  if (method === "GET" && photo !== undefined) {
    const bytes = await drawSamplePhoto(photo.cardId, photo.outcome);
    return { status: 200, type: "image/jpeg", body: bytes };
  }
  return json(404, { error: "Nothing is here." });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
