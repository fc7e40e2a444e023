import { S3Client } from "@aws-sdk/client-s3";
import { S3Driver } from "flydrive/drivers/s3";
import { createFlydriveStore } from "./flydrive-store.ts";
import type { PictureStore, PictureStoreOptions } from "./picture-store.ts";

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
    close: () => client.destroy(),
  };
}
