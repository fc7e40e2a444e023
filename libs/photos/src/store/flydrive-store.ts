import { Disk } from "flydrive";
import type { DriverContract } from "flydrive/types";
import { checkedKey, isMissing } from "./keys.ts";
import type { PictureStore } from "./picture-store.ts";

/** A store over one of flydrive's drivers. Its `put` is as atomic as the driver's. */
export function createFlydriveStore(
  driver: DriverContract,
): Omit<PictureStore, "deleteFolder" | "close"> {
  const disk = new Disk(driver);
  return {
    async put(key, bytes) {
      await disk.put(checkedKey(key), bytes);
    },
    async get(key) {
      try {
        return Buffer.from(await disk.getBytes(checkedKey(key)));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      await disk.delete(checkedKey(key));
    },
  };
}
