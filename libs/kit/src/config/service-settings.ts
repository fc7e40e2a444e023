import { BlockList, isIP } from "node:net";
import type * as z from "zod";
import { logLevels } from "../logger.ts";
import type { SecretBoxKey } from "../secret-box.ts";
import {
  ConfigError,
  duration,
  integer,
  list,
  oneOf,
  optional,
  origin,
  parsed,
  port,
  readSettings,
  required,
  setting,
  text,
  url,
  withDefault,
} from "./settings.ts";
import type { SettingValues } from "./settings.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const tenYearsMs = 3_650 * dayMs;

/** What all services of an installation are configured with. */
export const serviceSettings = {
  host: setting(
    "HOST",
    "The address to listen at.",
    withDefault(text(), () => "127.0.0.1"),
  ),
  port: setting(
    "PORT",
    "The port to listen at.",
    withDefault(port(), () => 3000),
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    "The origin under which people and receivers know the service.",
    required(
      origin(),
      "the origin under which the service is reached, like https://vault.example.com.",
    ),
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    "The PostgreSQL database.",
    required(
      url("postgres", "postgresql"),
      "the PostgreSQL database, as postgres://user:password@host:5432/name.",
    ),
  ),
  databasePoolSize: setting(
    "DATABASE_POOL_SIZE",
    "How many connections to PostgreSQL a process opens at most.",
    withDefault(integer(1, 500), () => 10),
  ),
  mongodbUrl: setting(
    "MONGODB_URL",
    "The MongoDB server of the job store.",
    optional(url("mongodb", "mongodb+srv")),
  ),
  jobStore: setting(
    "JOB_STORE",
    "Where jobs are kept: mongodb (default with MONGODB_URL) or postgres.",
    optional(oneOf("mongodb", "postgres")),
  ),
  encryptionKeys: setting(
    "VAULT_ENCRYPTION_KEYS",
    "Keys for secrets that are stored, as id:base64 of 32 bytes; the first encrypts, all decrypt.",
    required(
      encryptionKeys(),
      'webhook signing secrets are stored encrypted. Make a key with: echo "key1:$(openssl rand -base64 32)"',
    ),
  ),
  dataFolder: setting(
    "DATA_DIR",
    "Where pictures are kept, and uploads while they come.",
    withDefault(text(), () => ".data"),
  ),
  photoBucketName: setting(
    "PHOTO_S3_BUCKET",
    "The bucket for pictures; they are kept in DATA_DIR if not set.",
    optional(text()),
  ),
  photoBucketRegion: setting(
    "PHOTO_S3_REGION",
    "The bucket's region.",
    withDefault(text(), () => "us-east-1"),
  ),
  photoBucketEndpoint: setting(
    "PHOTO_S3_ENDPOINT",
    "The server of the bucket, where it is not Amazon's.",
    optional(url("https", "http")),
  ),
  photoBucketKeyId: setting("PHOTO_S3_ACCESS_KEY_ID", "Who may use the bucket.", optional(text())),
  photoBucketSecret: setting(
    "PHOTO_S3_SECRET_ACCESS_KEY",
    "The secret of that key.",
    optional(text()),
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "The least level that is logged.",
    withDefault(oneOf(...logLevels), () => "info" as const),
  ),
  metricsPort: setting("METRICS_PORT", "The port for metrics; none if not set.", optional(port())),
  metricsHost: setting(
    "METRICS_HOST",
    "The address of the metrics port; not one that the world can reach.",
    withDefault(text(), () => "127.0.0.1"),
  ),
  rateLimitStore: setting(
    "RATE_LIMIT_STORE",
    "Where requests are counted: memory (one api process) or postgres (several).",
    withDefault(oneOf("memory", "postgres"), () => "memory" as const),
  ),
  trustProxy: setting(
    "TRUST_PROXY",
    "How many proxies stand before the service, or their addresses; X-Forwarded-For is not read otherwise.",
    withDefault(trustProxy(), () => false as const),
  ),
  smtpUrl: setting(
    "SMTP_URL",
    "The server that sends mail; no mail if not set.",
    optional(url("smtp", "smtps")),
  ),
  mailFrom: setting(
    "MAIL_FROM",
    "The sender of mail; no-reply at the host of PUBLIC_URL if not set.",
    optional(text()),
  ),
  retentionAttemptsMs: setting(
    "RETENTION_ATTEMPTS",
    "How long the log of webhook attempts is kept.",
    withDefault(duration({ minMs: 3_600_000, maxMs: tenYearsMs }), () => 30 * dayMs),
  ),
  retentionEventsMs: setting(
    "RETENTION_EVENTS",
    "How long events that need no more attention are kept.",
    withDefault(duration({ minMs: 3_600_000, maxMs: tenYearsMs }), () => 90 * dayMs),
  ),
  retentionJobItemsMs: setting(
    "RETENTION_JOB_ITEMS",
    "How long a job that has ended keeps what became of each of its cards, and can be undone.",
    withDefault(duration({ minMs: 3_600_000, maxMs: tenYearsMs }), () => 90 * dayMs),
  ),
  webhookPorts: setting(
    "WEBHOOK_PORTS",
    "Ports of receivers that are allowed beside 443.",
    list(port()),
  ),
  shutdownDelayMs: setting(
    "SHUTDOWN_DELAY",
    "How long api takes requests after it was told to stop, /readyz answering 503: longer than a load balancer needs to notice.",
    withDefault(duration({ minMs: 0, maxMs: 60_000 }), () => 0),
  ),
  shutdownMs: setting(
    "SHUTDOWN_TIMEOUT",
    "How long a process may take to finish what is under way when it is told to stop, after SHUTDOWN_DELAY.",
    withDefault(duration({ minMs: 1_000, maxMs: 300_000 }), () => 15_000),
  ),
} as const;

export type JobStoreConfig =
  | { readonly kind: "mongodb"; readonly url: string }
  | { readonly kind: "postgres"; readonly url: string };

/** A bucket of a server that speaks S3's protocol. */
export interface PhotoBucketConfig {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface ServiceConfig extends Omit<
  SettingValues<typeof serviceSettings>,
  | "jobStore"
  | "mongodbUrl"
  | "webhookPorts"
  | "photoBucketName"
  | "photoBucketRegion"
  | "photoBucketEndpoint"
  | "photoBucketKeyId"
  | "photoBucketSecret"
> {
  /** Where pictures lie, if not in the data folder. */
  readonly photoBucket?: PhotoBucketConfig | undefined;
  readonly jobStore: JobStoreConfig;
  /** All ports that receivers may have, 443 with them. */
  readonly receiverPorts: readonly number[];
}

/**
 * The configuration from the environment.
 * @throws ConfigError that lists every problem and no value.
 */
export function readServiceConfig(
  env: Readonly<Record<string, string | undefined>>,
): ServiceConfig {
  const {
    jobStore,
    mongodbUrl,
    webhookPorts,
    photoBucketName,
    photoBucketRegion,
    photoBucketEndpoint,
    photoBucketKeyId,
    photoBucketSecret,
    ...given
  } = readSettings(serviceSettings, env);
  const photoBucket = photoBucketOf({
    bucket: photoBucketName,
    region: photoBucketRegion,
    endpoint: photoBucketEndpoint,
    accessKeyId: photoBucketKeyId,
    secretAccessKey: photoBucketSecret,
  });
  const rest = { ...given, ...(photoBucket === undefined ? {} : { photoBucket }) };
  const receiverPorts = [...new Set([443, ...webhookPorts])];
  // The store is chosen here, once: a MongoDB that is away later means waiting, never a second store.
  const kind = jobStore ?? (mongodbUrl === undefined ? "postgres" : "mongodb");
  if (kind === "postgres") {
    return { ...rest, receiverPorts, jobStore: { kind, url: rest.databaseUrl } };
  }
  if (mongodbUrl === undefined) {
    throw new ConfigError(["MONGODB_URL is required: JOB_STORE is mongodb."]);
  }
  return { ...rest, receiverPorts, jobStore: { kind, url: mongodbUrl } };
}

function photoBucketOf({
  bucket,
  accessKeyId,
  secretAccessKey,
  ...more
}: Omit<PhotoBucketConfig, "bucket" | "accessKeyId" | "secretAccessKey"> & {
  [Name in "bucket" | "accessKeyId" | "secretAccessKey"]: string | undefined;
}): PhotoBucketConfig | undefined {
  if (bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError([
      "PHOTO_S3_ACCESS_KEY_ID and PHOTO_S3_SECRET_ACCESS_KEY are required: PHOTO_S3_BUCKET is set.",
    ]);
  }
  return { bucket, accessKeyId, secretAccessKey, ...more };
}

/** `id:base64,id2:base64`. */
export function encryptionKeys(): z.ZodType<SecretBoxKey[]> {
  return parsed((given) => {
    const keys: SecretBoxKey[] = [];
    for (const entry of given.split(",")) {
      const [, id, base64] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry) ?? [];
      if (id === undefined || base64 === undefined) {
        return {
          problem: "must be keys like id:base64, with commas between them and 32 bytes in each.",
        };
      }
      if (keys.some((key) => key.id === id)) return { problem: "has the same id twice." };
      keys.push({ id, key: Buffer.from(base64, "base64") });
    }
    return { value: keys };
  });
}

/** Fastify's `trustProxy`. `true` is refused: it would let every client choose its own address. */
function trustProxy(): z.ZodType<false | number | string[]> {
  return parsed<false | number | string[]>((given) => {
    if (given === "false" || given === "0") return { value: false };
    if (/^\d$/.test(given)) return { value: Number(given) };
    const networks = given.split(",").map((it) => it.trim());
    if (networks.every(isNetwork)) return { value: networks };
    return { problem: "must be a number of proxies from 0 to 9, or their addresses." };
  });
}

function isNetwork(given: string): boolean {
  const [address = "", bits, ...more] = given.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(bits) ? Number(bits) : -1,
      family === 4 ? "ipv4" : "ipv6",
    );
    return true;
  } catch {
    return false;
  }
}
