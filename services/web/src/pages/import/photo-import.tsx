import type { Batch, PhotoImportPreview } from "@cardvault/contract";
import { Button, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useAccountId } from "../../app/account.ts";
import { useSessionEnded } from "../../app/session-ended.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { CommitBar } from "./commit-bar.tsx";
import { ImportTabs } from "./import-tabs.tsx";
import { MadePanel } from "./made-panel.tsx";
import { PairsPanel } from "./pairs-panel.tsx";
import { PhotoDrop } from "./photo-drop.tsx";
import { isUnderWay, uploadOf } from "./photo-upload.ts";
import { ImportSkeleton, UploadPanel } from "./upload-panel.tsx";

const previewEveryMs = 2_000;
/** A preview compares every photo with every other one, so that of a large import is asked for more rarely. */
const largePreviewEveryMs = 8_000;
const largeFrom = 400;

/** One import of photos, from the first file to its cards. */
export function PhotoImportPage({ id }: { id: string }) {
  const [isUploading, setIsUploading] = useState(false);
  const preview = useQuery(
    trpc.photoImports.preview.queryOptions(
      { id },
      {
        // Of thousands of photos, comparing two answers costs more than drawing the few that are in sight.
        structuralSharing: false,
        refetchInterval: ({ state }) =>
          !isUploading
            ? false
            : (state.data?.import.file_count ?? 0) > largeFrom
              ? largePreviewEveryMs
              : previewEveryMs,
      },
    ),
  );
  const batchId = preview.data?.import.batch_id;
  const batch = useQuery(
    trpc.batches.get.queryOptions({ id: batchId ?? "" }, { enabled: batchId !== undefined }),
  );
  const title = batch.data === undefined ? "Import photos" : `Photos for ${batch.data.name}`;
  return (
    <Page
      title={title}
      lead={
        batch.data === undefined ? undefined : (
          <>
            Into{" "}
            <Link to="/inventory/batches/$id" params={{ id: batch.data.id }}>
              {batch.data.name}
            </Link>{" "}
            · <span className="mono">{batch.data.code}</span>
          </>
        )
      }
    >
      <ImportTabs current="photos" />
      {preview.isPending ? (
        <ImportSkeleton />
      ) : preview.data === undefined ? (
        <div className="panel">
          <ProblemPanel
            error={preview.error}
            what="The import"
            onRetry={() => void preview.refetch()}
          />
        </div>
      ) : preview.data.import.status === "open" ? (
        <OpenImport preview={preview.data} batch={batch.data} onUploading={setIsUploading} />
      ) : (
        <MadePanel made={preview.data.import} batch={batch.data} />
      )}
    </Page>
  );
}

function OpenImport(props: {
  preview: PhotoImportPreview;
  batch: Batch | undefined;
  onUploading: (isUploading: boolean) => void;
}) {
  const { preview, batch, onUploading } = props;
  const { id } = preview.import;
  const upload = uploadOf(useAccountId() ?? "", id);
  const state = useSyncExternalStore(upload.subscribe, upload.state);
  const hasEnded = useSessionEnded();
  const isUploading = state.files.some((file) => isUnderWay(file.state));
  const arrived = state.files.filter(
    (file) => file.state === "here" || file.state === "known",
  ).length;
  useEffect(() => {
    if (!hasEnded) upload.resume();
  }, [hasEnded, upload]);
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const settled = isUploading ? null : arrived;
  useEffect(() => {
    if (settled !== null) void queryClient.invalidateQueries(previewFilter(id));
  }, [id, settled]);
  useStayWarning(isUploading && !state.isKept);
  const isEmpty = preview.import.file_count === 0;
  return (
    <Stack gap="md">
      <UploadPanel upload={upload} state={state} />
      <PhotoDrop onFiles={(files) => void upload.add(files)} isSmall={!isEmpty}>
        {isEmpty ? "Drop photos or folders here" : "Drop more photos, or the same folder again"}
      </PhotoDrop>
      {isEmpty ? null : (
        <>
          <Missing preview={preview} isUploading={isUploading} />
          <PairsPanel preview={preview} />
          <CommitBar preview={preview} isUploading={isUploading} upload={upload} />
        </>
      )}
      <Discard
        id={id}
        batch={batch}
        onDiscarded={upload.forget}
        count={preview.import.file_count}
      />
    </Stack>
  );
}

function previewFilter(id: string) {
  return { queryKey: trpc.photoImports.preview.queryKey({ id }) };
}

/** Announced, and not here: this browser does not have them, or not any more. */
function Missing({ preview, isUploading }: { preview: PhotoImportPreview; isUploading: boolean }) {
  const { import: of, missing_count: missing } = preview;
  const leaveOut = useMutation({
    mutationFn: () => {
      const files = [
        ...preview.cards.flatMap(({ front, back }) => [front, back]),
        ...preview.leftovers,
      ]
        .filter((file) => file !== null && file.photo === null)
        .flatMap((file) => (file === null ? [] : [file.position]));
      return trpcClient.photoImports.edit.mutate({
        id: of.id,
        edit: { type: "drop", files: files.slice(0, mostDropped) },
      });
    },
    onSuccess: (after) =>
      queryClient.setQueryData(trpc.photoImports.preview.queryKey({ id: of.id }), after),
    onError: () => void queryClient.invalidateQueries(previewFilter(of.id)),
  });
  if (missing === 0 || isUploading) return null;
  return (
    <output className="panel upload-panel">
      <span>
        {counted(missing, "photo")} {missing === 1 ? "has" : "have"} not arrived, and this browser
        does not have {missing === 1 ? "it" : "them"}. Drop the same files again: what is here is
        not sent twice.
      </span>
      <Button
        variant="default"
        size="xs"
        loading={leaveOut.isPending}
        onClick={() => leaveOut.mutate()}
      >
        Leave {missing === 1 ? "it" : "them"} out
      </Button>
    </output>
  );
}
/** What one call takes. */
const mostDropped = 500;

/** While leaving would lose what is not sent. */
function useStayWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isOn]);
}

function Discard(props: {
  id: string;
  batch: Batch | undefined;
  count: number;
  onDiscarded: () => void;
}) {
  const { id, batch, count, onDiscarded } = props;
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const discard = useMutation({
    mutationFn: () => trpcClient.photoImports.discard.mutate({ id }),
    async onSuccess() {
      onDiscarded();
      await navigate({ to: "/import", search: batch === undefined ? {} : { batch: batch.id } });
      void queryClient.invalidateQueries({ queryKey: trpc.photoImports.list.pathKey() });
    },
  });
  return (
    <div>
      <Button variant="subtle" color="red" onClick={() => setIsAsking(true)}>
        Discard this import…
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Discard this import"
        confirm={`Discard ${counted(count, "photo")}`}
        isPending={discard.isPending}
        error={discard.error}
        onConfirm={() => discard.mutate()}
        onClose={() => setIsAsking(false)}
      >
        Its photos are removed from the vault. No card has been made of them yet.
      </ConfirmDialog>
    </div>
  );
}
