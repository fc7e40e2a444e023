import type { PhotoImport } from "@cardvault/contract";
import { Button, Skeleton, Stack, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconCircleCheck, IconClockPause, IconLoader } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useAccountId } from "../../app/account.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { momentWords, RelativeTime } from "../../parts/relative-time.tsx";
import { counted } from "../../parts/words.ts";
import { BatchChoiceFields, useBatchChoice } from "./batch-choice.tsx";
import { forgetImport, forgetOldFiles } from "./kept-files.ts";
import { PhotoDrop } from "./photo-drop.tsx";
import { uploadOf } from "./photo-upload.ts";

const shownImports = 10;
/** Whoever renames a batch is told of it by the live connection. */
const batchStaleMs = 60_000;

/** The batch, then the photos: dropping them begins the import. */
export function StartPhotos() {
  const { batch } = useSearch({ from: "/inside/import" });
  const navigate = useNavigate();
  const accountId = useAccountId();
  const choice = useBatchChoice(batch);
  useEffect(() => void forgetOldFiles(Date.now()), []);
  const begin = useMutation({
    async mutationFn(files: readonly File[]) {
      const batchId = await choice.settle();
      if (accountId === null || batchId === null || batchId === undefined) return;
      const { id } = await trpcClient.photoImports.create.mutate({ batch_id: batchId });
      void uploadOf(accountId, id).add(files);
      void queryClient.invalidateQueries({ queryKey: trpc.photoImports.list.pathKey() });
      await navigate({ to: "/import", search: { import: id } });
    },
  });
  const isUnsaid = choice.kind === "existing" && choice.batchId === null;
  return (
    <Stack gap="lg">
      <section aria-labelledby="into">
        <Title order={2} id="into" mb="xs">
          Into which batch?
        </Title>
        <BatchChoiceFields choice={choice} />
      </section>
      <section aria-label="What is imported">
        {isUnsaid ? (
          <div className="panel fact-panel">Choose the batch first, then drop the photos.</div>
        ) : (
          <PhotoDrop onFiles={(files) => begin.mutate(files)} isBusy={begin.isPending}>
            Drop photos or folders here
          </PhotoDrop>
        )}
        <ProblemNote error={begin.error} />
      </section>
      <EarlierImports />
    </Stack>
  );
}

/** What was begun and not finished, and what was finished last. */
function EarlierImports() {
  const imports = useQuery(trpc.photoImports.list.queryOptions({ limit: shownImports }));
  const [asked, setAsked] = useState<PhotoImport | null>(null);
  const discard = useMutation({
    async mutationFn(id: string) {
      await trpcClient.photoImports.discard.mutate({ id });
      await forgetImport(id);
      setAsked(null);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.photoImports.list.pathKey() }),
  });
  if (imports.isPending) return <Skeleton height={96} aria-busy="true" />;
  if (imports.data === undefined) {
    return (
      <div className="panel">
        <ProblemPanel
          error={imports.error}
          what="Earlier imports"
          onRetry={() => void imports.refetch()}
        />
      </div>
    );
  }
  if (imports.data.data.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <Title order={2} id="earlier" mb="xs">
        Earlier imports
      </Title>
      <div className="panel table-scroll">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Import</th>
              <th scope="col">Batch</th>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Photos
              </th>
              <th scope="col" className="number">
                Cards
              </th>
              <th scope="col">Begun</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {imports.data.data.map((one) => (
              <EarlierRow key={one.id} one={one} onDiscard={() => setAsked(one)} />
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        opened={asked !== null}
        title="Discard this import"
        confirm={`Discard ${counted(asked?.file_count ?? 0, "photo")}`}
        isPending={discard.isPending}
        error={discard.error}
        onConfirm={() => {
          if (asked !== null) discard.mutate(asked.id);
        }}
        onClose={() => {
          discard.reset();
          setAsked(null);
        }}
      >
        Its photos are removed from the vault. No card has been made of them yet.
      </ConfirmDialog>
    </section>
  );
}

const looks = {
  open: { tone: "warning", icon: IconClockPause, words: "Not finished" },
  committing: { tone: "busy", icon: IconLoader, words: "Cards are being made" },
  done: { tone: "good", icon: IconCircleCheck, words: "Done" },
} as const;

function EarlierRow(props: { one: PhotoImport; onDiscard: () => void }) {
  const { one } = props;
  const { words, ...look } = looks[one.status];
  const batch = useQuery(
    trpc.batches.get.queryOptions({ id: one.batch_id }, { staleTime: batchStaleMs }),
  );
  const name = batch.data?.name;
  const which = `the import into ${name ?? "a batch"}, ${momentWords(one.created_at).words}`;
  return (
    <tr>
      <td className="fill">
        <Link to="/import" search={{ import: one.id }}>
          {one.status === "open" ? "Go on" : "See it"}
          <span className="visually-hidden">
            {one.status === "open" ? ` with ${which}` : `, ${which}`}
          </span>
        </Link>
      </td>
      <td>
        <Link to="/inventory/batches/$id" params={{ id: one.batch_id }} className="clip">
          {name ?? (batch.isError ? "Its batch" : "…")}
        </Link>
      </td>
      <td className="narrow">
        <Chip {...look}>{words}</Chip>
      </td>
      <td className="narrow number">
        {one.uploaded_count < one.file_count
          ? `${one.uploaded_count.toLocaleString()} of ${one.file_count.toLocaleString()}`
          : one.file_count.toLocaleString()}
      </td>
      <td className="narrow number">{one.card_count.toLocaleString()}</td>
      <td className="narrow">
        <RelativeTime at={one.created_at} />
      </td>
      <td className="narrow">
        {one.status === "open" ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Discard ${which}`}
            onClick={props.onDiscard}
          >
            Discard…
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
