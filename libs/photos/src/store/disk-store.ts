import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { FSDriver } from "flydrive/drivers/fs";
import { createFlydriveStore } from "./flydrive-store.ts";
import { checkedFolder, checkedKey } from "./keys.ts";
import type { PictureStore } from "./picture-store.ts";

/** What a crash leaves behind here is swept with the uploads. */
const unfinishedFolder = "unfinished";

/** Files under one folder. */
export function createDiskStore(folder: string): PictureStore {
  const root = resolve(folder);
  return {
    ...createFlydriveStore(new FSDriver({ location: root, visibility: "private" })),
    // flydrive writes in place and moves by copying: a reader, or a crash, would meet half a file.
    async put(key, bytes) {
      const file = join(root, checkedKey(key));
      const unfinished = join(root, unfinishedFolder, randomUUID());
      await mkdir(dirname(unfinished), { recursive: true });
      await mkdir(dirname(file), { recursive: true });
      await writeFile(unfinished, bytes, { flush: true });
      await rename(unfinished, file);
    },
    async deleteFolder(name) {
      await rm(join(root, checkedFolder(name)), { recursive: true, force: true, maxRetries: 3 });
    },
    close: () => undefined,
  };
}
