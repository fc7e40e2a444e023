import type { PhotoImportPreview } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { followJob } from "../../app/jobs.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import type { PhotoUpload } from "./photo-upload.ts";

/** Makes the cards, once everything is here. Stays in sight below the pairs. */
export function CommitBar(props: {
  preview: PhotoImportPreview;
  isUploading: boolean;
  upload: PhotoUpload;
}) {
  const { preview, isUploading, upload } = props;
  const { id } = preview.import;
  const { cards, leftovers, missing_count: missing } = preview;
  const commit = useMutation({
    mutationFn: () =>
      trpcClient.photoImports.commit.mutate({ id, leave_out_leftovers: leftovers.length > 0 }),
    async onSuccess(job) {
      followJob(job);
      await queryClient.invalidateQueries({ queryKey: trpc.photoImports.pathKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.batches.pathKey() });
      upload.forget();
    },
  });
  const pairs = cards.filter(({ back }) => back !== null).length;
  const alone = cards.length - pairs;
  return (
    <div className="panel commit-bar">
      <output>
        {`${counted(pairs, "pair")}, ${alone.toLocaleString()} with a front alone`}
        {leftovers.length > 0 ? `, ${counted(leftovers.length, "photo")} left over` : ""}
        {isUploading ? ". Photos are still on their way." : ""}
      </output>
      <ProblemNote error={commit.error} />
      <Button
        ml="auto"
        disabled={isUploading || missing > 0 || cards.length === 0}
        loading={commit.isPending}
        onClick={() => commit.mutate()}
      >
        {`Make ${counted(cards.length, "card")}`}
        {leftovers.length > 0 ? `, leave out ${leftovers.length.toLocaleString()}` : ""}
      </Button>
    </div>
  );
}
