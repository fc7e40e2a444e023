import { createDiskStore } from "./disk-store.ts";

/** Where pictures lie: a folder, or a bucket of a server that speaks S3's protocol. */
export type PictureStoreOptions =
  | { kind: "disk"; folder: string }
  | {
      kind: "s3";
      bucket: string;
      region: string;
      /** Another server than Amazon's own. */
      endpoint?: string | undefined;
      accessKeyId: string;
      secretAccessKey: string;
    };

/** Files by keys. A key is never a path that somebody gave. */
export interface PictureStore {
  /** All of it or nothing: a reader never sees half a file. Writing the same key again replaces it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null where there is none. */
  get(key: string): Promise<Buffer | null>;
  /** No error where there is none. */
  delete(key: string): Promise<void>;
  /** Everything whose key begins with the folder's name and a slash. No error where there is nothing. */
  deleteFolder(name: string): Promise<void>;
  close(): void;
}

/** The store that the configuration names. The client of S3 is loaded only where it is used. */
export async function createPictureStore(options: PictureStoreOptions): Promise<PictureStore> {
  if (options.kind === "disk") return createDiskStore(options.folder);
  const { createS3Store } = await import("./s3-store.ts");
  return createS3Store(options);
}
