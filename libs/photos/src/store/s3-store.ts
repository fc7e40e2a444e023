import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { S3Driver } from "flydrive/drivers/s3";
import { createFlydriveStore } from "./flydrive-store.ts";
import { checkedFolder } from "./keys.ts";
import type { PictureStore, PictureStoreOptions } from "./picture-store.ts";

const deletedAtOnce = 16;

/** Objects of one bucket. An object appears whole, or not at all. */
export function createS3Store(options: Extract<PictureStoreOptions, { kind: "s3" }>): PictureStore {
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = options;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other servers than Amazon's have no host name for each bucket, and not all know its new checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return {
    ...createFlydriveStore(
      new S3Driver({ client, bucket, visibility: "private", supportsACL: false }),
    ),
    deleteFolder: async (name) => deleteFolder(client, bucket, `${checkedFolder(name)}/`),
    close: () => client.destroy(),
  };
}

/** One by one: a request for many answers 200 where some of them stay, and not every server knows it. */
async function deleteFolder(client: S3Client, Bucket: string, Prefix: string): Promise<void> {
  for (;;) {
    // From the beginning each time: what was listed is gone.
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    if (keys.length === 0) return;
    for (let from = 0; from < keys.length; from += deletedAtOnce) {
      const some = keys.slice(from, from + deletedAtOnce);
      await Promise.all(some.map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key }))));
    }
  }
}
