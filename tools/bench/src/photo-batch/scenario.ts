import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { comparableName } from "@cardvault/catalogue";
import type { Batch, Job } from "@cardvault/contract";
import { provideInventedCatalogue } from "@cardvault/core";
import { toUuid } from "@cardvault/kit";
import { waitUntil } from "@cardvault/postgres";
import { openReader } from "../stack/reader.ts";
import { openSession } from "../stack/session.ts";
import type { BenchSession } from "../stack/session.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import { watchMemory } from "../stack/watch-memory.ts";
import type { Figures, Scenario, ScenarioOptions } from "../scenario.ts";
import { percentile, round } from "../statistics.ts";
import { writePhotos } from "./pictures.ts";
import type { BatchPhoto, Who } from "./pictures.ts";
import { uploadPhotos } from "./upload.ts";

const defaultPhotos = 100;
const aloneMs = 20_000;
/** At once, as the page uploads them. */
const uploadLanes = 3;
const deadlineMs = 1_200_000;
const everyMs = 100;

export const photoBatchScenario: Scenario = {
  name: "photo-batch",
  sentence:
    "100 photos uploaded into a batch and identified, by this machine and by simulated providers, beside readers",
  run: async (options) => {
    const figures: Figures = { store: options.store, photos: options.cards ?? defaultPhotos };
    for (const who of ["local", "sandbox"] as const) {
      const measured = await measureBatch(options, who);
      for (const [name, value] of Object.entries(measured)) figures[`${who}_${name}`] = value;
    }
    const goals = (["local", "sandbox"] as const).flatMap((who) => [
      { figure: `${who}_unsettled`, atMost: 0 },
      { figure: `${who}_wrong`, atMost: 0 },
      { figure: `${who}_beside_ratio`, atMost: 2 },
      { figure: `${who}_api_growth_mb`, atMost: 60 },
      { figure: `${who}_worker_growth_mb`, atMost: 60 },
    ]);
    return { figures, goals };
  },
};

function measureBatch({ store, cards = defaultPhotos }: ScenarioOptions, who: Who) {
  return withStack(
    store,
    async (stack): Promise<Figures> => {
      const photos = await writePhotos(join(stack.folder, "camera"), cards, who);
      await provideInventedCatalogue(stack.services);
      const api = await stack.startApi();
      const session = await openSession(stack, "Photos");
      const reader = await openReader(stack, session.accountId);
      const worker = await stack.startWorker();
      const alone = await reader.during(() => wait(aloneMs));

      const batch = await session.mutate<Batch>("batches.create", { name: "Photos" });
      const apiMemory = watchMemory(api.processId);
      let upload_s = 0;
      let importId = "";
      const besideUpload = await reader.during(async () => {
        upload_s = await seconds(async () => {
          importId = await uploadPhotos(session, batch.id, photos, uploadLanes);
        });
      });
      await importAll(session, batch, importId);

      const job = await session.mutate<Job>("bulk.start", {
        selection: { filter: { batch: [batch.id] }, except: [] },
        action: { type: "identify" },
      });
      let identify_s = 0;
      let workerMemory: ReturnType<typeof watchMemory> | undefined;
      const beside = await reader.during(async () => {
        identify_s = await seconds(async () => {
          // Warm from here on: what it holds may not grow with the cards any more.
          await until(session, job, cards / 10);
          workerMemory = watchMemory(worker.processId);
          await until(session, job);
        });
      });
      const workerHeld = workerMemory?.stop();
      const apiHeld = apiMemory.stop();
      const p99 = (times: readonly number[]): number => round(percentile(times, 0.99), 1);
      return {
        ...(await outcomesOf(stack, session, job, photos)),
        upload_per_s: round(cards / upload_s, 1),
        identified_per_s: round(cards / identify_s, 2),
        alone_p50_ms: round(percentile(alone, 0.5), 1),
        alone_p99_ms: p99(alone),
        upload_p99_ms: p99(besideUpload),
        beside_p50_ms: round(percentile(beside, 0.5), 1),
        beside_p99_ms: p99(beside),
        upload_ratio: round(p99(besideUpload) / p99(alone), 2),
        beside_ratio: round(p99(beside) / p99(alone), 2),
        api_rss_mb: round(apiHeld.most),
        api_growth_mb: round(apiHeld.late - apiHeld.early),
        worker_rss_mb: round(workerHeld?.most ?? Number.NaN),
        worker_growth_mb: round((workerHeld?.late ?? Number.NaN) - (workerHeld?.early ?? 0)),
      };
    },
    { withSandbox: who === "sandbox" },
  );
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return (performance.now() - fromMs) / 1_000;
}

async function importAll(session: BenchSession, batch: Batch, importId: string): Promise<void> {
  const job = await session.mutate<Job>("photoImports.commit", { id: importId });
  await until(session, job);
  const made = await waitUntil(
    async () => {
      const { status } = await session.query<Batch>("batches.get", { id: batch.id });
      return status === "open";
    },
    deadlineMs,
    everyMs,
  );
  if (!made) throw new Error("The cards of the photos are not made");
}

/** Waits until a job has ended, or so many of its cards are settled. */
async function until(session: BenchSession, { id }: Job, done?: number): Promise<void> {
  const isThere = await waitUntil(
    async () => {
      const now = await session.query<Job>("jobs.get", { id });
      if (now.status === "failed") throw new Error(JSON.stringify(now.error));
      return now.finished_at !== null || (done !== undefined && now.progress.done >= done);
    },
    deadlineMs,
    everyMs,
  );
  if (!isThere) throw new Error("The job does not go on");
}

/** What became of the cards, by what is in the database. */
async function outcomesOf(
  { services }: Stack,
  { accountId }: BenchSession,
  { id }: Job,
  photos: readonly BatchPhoto[],
): Promise<Figures> {
  const rows = await services.db.query<{
    name: string;
    status: string;
    review_reason: string | null;
    title: string | null;
    outcome: string | null;
  }>(
    `select f.name, c.status, c.review_reason, c.title, i.outcome
     from photo_import_file f join card c on c.id = f.card_id
     left join job_item i on i.card_id = c.id and i.job_id = $2
     where c.account_id = $1`,
    [toUuid(accountId), toUuid(id)],
  );
  const counts = { applied: 0, review: 0, failed: 0, wrong: 0, unsettled: 0 };
  const shown = new Map(photos.map((photo) => [photo.name, photo]));
  for (const row of rows) {
    const photo = shown.get(row.name);
    const isRight = comparableName(row.title ?? "") === comparableName(photo?.title ?? "");
    if (row.outcome === null) counts.unsettled += 1;
    else if (row.status === "identified") counts[isRight ? "applied" : "wrong"] += 1;
    else counts[row.review_reason === "providers_failed" ? "failed" : "review"] += 1;
  }
  counts.unsettled += photos.length - rows.length;
  return counts;
}
