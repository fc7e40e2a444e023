import type { Batch, PhotoImport } from "@cardvault/contract";
import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { followJob, useJob } from "../../app/jobs.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { FollowedJob } from "../../parts/job-progress.tsx";
import { isUnderWay } from "../../parts/job-words.ts";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { useRequestKey } from "../../parts/request-key.ts";
import { counted } from "../../parts/words.ts";

/** The cards that an import makes or has made; then who they are, and what is in doubt. */
export function MadePanel({ made, batch }: { made: PhotoImport; batch: Batch | undefined }) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <Stack gap="md">
      {made.job_id === null ? null : <Making made={made} jobId={made.job_id} />}
      {made.status !== "done" ? null : (
        <div className="panel">
          <EmptyState
            title={`${counted(made.card_count, "card")} ${made.card_count === 1 ? "is" : "are"} in ${batch?.name ?? "the batch"}`}
            action={
              <Group gap="xs">
                {jobId === null ? (
                  <Identify batchId={made.batch_id} onStarted={setJobId} />
                ) : (
                  <LinkButton to="/review" search={{ batch: made.batch_id }}>
                    Review what is in doubt
                  </LinkButton>
                )}
                <LinkButton
                  to="/inventory/batches/$id"
                  params={{ id: made.batch_id }}
                  variant="default"
                >
                  Open the batch
                </LinkButton>
                <LinkButton to="/import" search={{ batch: made.batch_id }} variant="default">
                  Add more photos
                </LinkButton>
              </Group>
            }
          >
            {jobId === null
              ? "Have them identified now: what is certain is taken over, what is in doubt goes to review."
              : "They are being identified. You may leave this page; what is in doubt goes to review."}
          </EmptyState>
        </div>
      )}
      {jobId === null ? null : (
        <div className="panel fact-panel">
          <FollowedJob id={jobId} />
        </div>
      )}
      <Link to="/import" search={{}}>
        All imports of photos
      </Link>
    </Stack>
  );
}

function Making({ made, jobId }: { made: PhotoImport; jobId: string }) {
  const job = useJob(jobId);
  const hasEnded = job.data !== undefined && !isUnderWay(job.data);
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: trpc.photoImports.pathKey() });
  }, [hasEnded]);
  const again = useMutation({
    mutationFn: () =>
      trpcClient.photoImports.commit.mutate({ id: made.id, leave_out_leftovers: true }),
    async onSuccess(next) {
      followJob(next);
      await queryClient.invalidateQueries({ queryKey: trpc.photoImports.pathKey() });
    },
  });
  if (made.status === "done") return null;
  const hasStopped = job.data?.status === "cancelled" || job.data?.status === "failed";
  return (
    <div className="panel fact-panel">
      <FollowedJob id={jobId} />
      {hasStopped ? (
        <Button mt="sm" loading={again.isPending} onClick={() => again.mutate()}>
          Go on making the cards
        </Button>
      ) : null}
      <ProblemNote error={again.error} />
    </div>
  );
}

function Identify(props: { batchId: string; onStarted: (jobId: string) => void }) {
  const { batchId, onStarted } = props;
  const key = useRequestKey();
  const identify = useMutation({
    mutationFn() {
      const request = {
        selection: {
          filter: { batch: [batchId], workflow_status: ["imported" as const] },
          except: [],
        },
        action: { type: "identify" as const },
      };
      return trpcClient.bulk.start.mutate({ ...request, idempotency_key: key.keyFor(request) });
    },
    onSuccess(job) {
      key.forget();
      followJob(job);
      onStarted(job.id);
    },
  });
  return (
    <>
      <Button loading={identify.isPending} onClick={() => identify.mutate()}>
        Identify them
      </Button>
      <ProblemNote error={identify.error} />
    </>
  );
}
