import { MongoJobRepository } from "@agendajs/mongo-backend";
import type { JobParameters, JobRepositoryOptions } from "agenda";
import { MongoBulkWriteError, MongoClient, ObjectId } from "mongodb";
import type { AnyBulkWriteOperation, Collection, Document, Filter } from "mongodb";
import { depthLimit, entryOf } from "./job-store.ts";
import type { JobStore, LaneDepth, QueueEntry, StandingPage } from "./job-store.ts";

export interface MongoStoreOptions {
  readonly url: string;
  /** Unless told the URL's, or `cardvault` where it names none. */
  readonly databaseName?: string | undefined;
  /** What goes wrong where nobody waits for an answer. */
  readonly onError: (error: unknown) => void;
}

const collectionName = "agendaJobs";
const duplicateKey = 11_000;
const serverSelectionMs = 3_000;

/** Agenda's own repository, less the writes that PostgreSQL's lease makes needless. */
class LeanMongoRepository extends MongoJobRepository {
  readonly #onError: (error: unknown) => void;

  /** Without a connection: `prepare` gives the collection. */
  constructor({ url, onError }: MongoStoreOptions) {
    super({ db: { address: url }, ensureIndex: false });
    this.#onError = onError;
  }

  /**
   * A job without a next run is one that begins (its lock says so already) or one that is done (it is
   * removed at once). Only "run again at" has something to write. So a job whose worker dies keeps
   * its next run, and is the first to be claimed when its lock expires.
   */
  override async saveJobState(job: JobParameters, options?: JobRepositoryOptions): Promise<void> {
    if (job.nextRunAt !== null) await super.saveJobState(job, options);
  }

  /** Agenda does not wait for this one: a rejection would end the process. */
  override async unlockJob(job: JobParameters): Promise<void> {
    await super.unlockJob(job).catch(this.#onError);
  }
}

function databaseOf({ url, databaseName }: MongoStoreOptions): string {
  const named = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/u.exec(url)?.[1];
  return databaseName ?? (named === undefined ? "cardvault" : decodeURIComponent(named));
}

interface Connection {
  readonly client: MongoClient;
  readonly collection: Collection;
}

/** Agenda's jobs in MongoDB. Nothing is asked of the server before `prepare`. */
export function createMongoStore(options: MongoStoreOptions): JobStore {
  const repository = new LeanMongoRepository(options);
  let connection: Connection | undefined;
  const connected = (): Connection => {
    if (connection === undefined) throw new Error("MongoDB has not been reached yet.");
    return connection;
  };

  return {
    kind: "mongodb",
    repository,
    prepare: async () => {
      connection ??= await connect(options);
      await ensureIndexes(connection.collection);
      repository.collection = connection.collection as unknown as typeof repository.collection;
    },
    ping: async () => {
      await connected().client.db(databaseOf(options)).command({ ping: 1 });
    },
    put: (entries, staleBefore) => put(connected().collection, entries, staleBefore),
    touch: async (jobId, now) => {
      const { collection } = connected();
      await collection.updateOne({ _id: new ObjectId(jobId) }, { $set: { lockedAt: now } });
    },
    depth: (lanes) => Promise.all(lanes.map((lane) => depthOf(connected().collection, lane))),
    standingAfter: (entryId, limit) => standingAfter(connected().collection, entryId, limit),
    remove: async (entryIds) => {
      const ids = entryIds.map((entryId) => new ObjectId(entryId));
      await connected().collection.deleteMany({ _id: { $in: ids } });
    },
    close: async () => {
      await connection?.client.close();
    },
  };
}

/**
 * A client that has reached its server once finds it again by itself. One that has not is dead for
 * ever ("Topology is closed", driver 7.8), so each try has a client of its own.
 */
async function connect(options: MongoStoreOptions): Promise<Connection> {
  const client = await MongoClient.connect(options.url, {
    appName: "cardvault",
    serverSelectionTimeoutMS: serverSelectionMs,
    connectTimeoutMS: serverSelectionMs,
    socketTimeoutMS: 20_000,
    maxPoolSize: 20,
  });
  // What the driver tells of lost connections is told by every operation that fails.
  client.on("error", () => undefined);
  return { client, collection: client.db(databaseOf(options)).collection(collectionName) };
}

async function ensureIndexes(collection: Collection): Promise<void> {
  await collection.createIndexes([
    {
      key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
      name: "findAndLockNextJobIndex",
    },
    { key: { name: 1, lockedAt: 1 }, name: "expiredLocks" },
    // One job for each piece of work and lane: the relay may enqueue the same one again and again.
    {
      key: { name: 1, "data.deliveryId": 1, "data.jobId": 1 },
      name: "workUnique",
      unique: true,
      partialFilterExpression: { type: "normal" },
    },
  ]);
}

async function put(
  collection: Collection,
  entries: readonly QueueEntry[],
  staleBefore: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const present = await insertNew(collection, entries);
  if (present.length === 0) return;
  const revivals = present.map((entry): AnyBulkWriteOperation => {
    const isFree: Filter<Document> = {
      $or: [{ lockedAt: null }, { lockedAt: { $lt: staleBefore } }],
    };
    const needsIt: Filter<Document> = {
      $or: [
        { nextRunAt: null },
        { nextRunAt: { $gt: entry.runAt } },
        { lockedAt: { $lt: staleBefore } },
      ],
    };
    return {
      updateOne: {
        filter: {
          type: "normal",
          name: entry.lane,
          "data.deliveryId": null,
          "data.jobId": null,
          [`data.${entry.dataMember}`]: entry.id,
          $and: [isFree, needsIt],
        },
        update: { $set: { nextRunAt: entry.runAt, lockedAt: null } },
      },
    };
  });
  await collection.bulkWrite(revivals, { ordered: false });
}

/** Inserts what is not there yet, and answers what is. */
async function insertNew(
  collection: Collection,
  entries: readonly QueueEntry[],
): Promise<QueueEntry[]> {
  try {
    await collection.insertMany(entries.map(documentOf), { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    if (failures.length === 0 || failures.some(({ code }) => code !== duplicateKey)) throw error;
    return failures.flatMap(({ index }) => entries[index] ?? []);
  }
}

/** The members that Agenda's own insert writes. */
function documentOf({ lane, dataMember, id, runAt }: QueueEntry): Document {
  return {
    name: lane,
    type: "normal",
    priority: 0,
    nextRunAt: runAt,
    data: { [dataMember]: id },
    lockedAt: null,
    lastFinishedAt: null,
    lastRunAt: null,
    failedAt: null,
    failCount: null,
    failReason: null,
    disabled: null,
    progress: null,
    lastModifiedBy: null,
  };
}

async function depthOf(collection: Collection, lane: string): Promise<LaneDepth> {
  const [jobs, oldest] = await Promise.all([
    collection.countDocuments({ name: lane }, { limit: depthLimit }),
    collection.findOne(
      { name: lane, nextRunAt: { $ne: null } },
      { sort: { nextRunAt: 1 }, projection: { nextRunAt: 1 } },
    ),
  ]);
  return { lane, jobs, oldestRunAt: (oldest?.["nextRunAt"] as Date | undefined) ?? null };
}

async function standingAfter(
  collection: Collection,
  after: string | null,
  limit: number,
): Promise<StandingPage> {
  const documents = await collection
    .find(after === null ? {} : { _id: { $gt: new ObjectId(after) } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return {
    entries: documents.flatMap(({ _id, data }) =>
      entryOf(_id.toHexString(), data as Parameters<typeof entryOf>[1]),
    ),
    next: documents.length < limit ? null : (documents.at(-1)?._id.toHexString() ?? null),
  };
}
