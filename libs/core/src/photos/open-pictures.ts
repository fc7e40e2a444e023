import { join } from "node:path";
import { createPictureStore } from "@cardvault/photos";
import type { PictureStore, PictureStoreOptions } from "@cardvault/photos";
import { uploadsFolderOf } from "./uploads-folder.ts";

export interface PicturesConfig {
  /** Where pictures lie, and uploads while they come. */
  photoFolder: string;
  /** Pictures lie there instead. */
  photoBucket?: Omit<Extract<PictureStoreOptions, { kind: "s3" }>, "kind"> | undefined;
}

/** The store of an installation's pictures, and the folders that have what is not finished. */
export async function openPictures(
  config: PicturesConfig,
): Promise<{ pictureStore: PictureStore; unfinishedFolders: string[] }> {
  const { photoFolder: folder, photoBucket } = config;
  const pictureStore = await createPictureStore(
    photoBucket === undefined ? { kind: "disk", folder } : { kind: "s3", ...photoBucket },
  );
  return { pictureStore, unfinishedFolders: [uploadsFolderOf(config), join(folder, "unfinished")] };
}
