import type { Card, PhotoSide, RemovedPhotos } from "@cardvault/contract";
import { photoSides } from "@cardvault/contract";
import { Button, FileButton, Group, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IconArrowLeft, IconArrowRight, IconPhotoPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { DragEvent } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { pictureAddress } from "../../parts/card-picture.tsx";
import { useChoice } from "../../parts/choice.ts";
import { PhotoView } from "../../parts/photo-view.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { keepCard } from "./save-card.ts";
import { uploadPhotos } from "./upload-photos.ts";

const sideWords: Record<PhotoSide, string> = {
  front: "Front",
  back: "Back",
  listing: "Listing",
};
const taken = "image/jpeg,image/png,image/webp,image/heic,image/heif";

/** The card's photos: one large, the others beneath it; added, ordered, given another side, removed. */
export function Photos({ card }: { card: Card }) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isZoomed, setIsZoomed] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const { photos } = card;
  const chosen = photos.find(({ id }) => id === chosenId) ?? photos[0];
  const upload = useMutation({
    mutationFn: (files: File[]) => uploadPhotos(card, files),
    onSuccess: ({ card: changed, added }) => {
      keepCard(changed);
      const [first] = added;
      if (first !== undefined) setChosenId(first);
    },
  });
  const name = card.title ?? "Card that is not identified";

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) upload.mutate(files);
  }
  return (
    // Files that are dropped; who has no pointer adds them by the button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="card-photos"
      aria-label="Photos"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <PhotoView
        url={chosen?.url ?? null}
        name={chosen === undefined ? name : `${name}, ${chosen.side}`}
        caption={chosen === undefined ? "Front" : sideWords[chosen.side]}
        isZoomed={isZoomed}
        onZoom={setIsZoomed}
      />
      <div className="photo-strip">
        {photos.map((photo) => (
          <button
            key={photo.id}
            type="button"
            className="photo-thumb"
            aria-label={`${sideWords[photo.side]} photo`}
            aria-pressed={photo.id === chosen?.id}
            onClick={() => {
              setChosenId(photo.id);
              setIsZoomed(false);
            }}
          >
            <img src={pictureAddress(photo.url, "thumbnail")} alt="" draggable={false} />
            <span>{sideWords[photo.side]}</span>
          </button>
        ))}
        <FileButton multiple accept={taken} onChange={(files) => upload.mutate(files)}>
          {(props) => (
            <button
              {...props}
              type="button"
              className="photo-thumb"
              data-add
              disabled={upload.isPending}
            >
              <IconPhotoPlus size={20} stroke={1.6} aria-hidden />
              <span>{upload.isPending ? "Sending…" : "Add"}</span>
            </button>
          )}
        </FileButton>
      </div>
      <ProblemNote error={upload.error} />
      {upload.data?.refused.map(({ file, reason }) => (
        <p key={file} role="alert" className="cell-sub wrap">
          {file}: {reason}
        </p>
      ))}
      {chosen === undefined ? (
        <p className="cell-sub">Drop photos here: JPEG, PNG, WebP or HEIC, up to 20 MB each.</p>
      ) : (
        <PhotoActions card={card} chosen={chosen} />
      )}
    </section>
  );
}

type Photo = Card["photos"][number];

function PhotoActions({ card, chosen }: { card: Card; chosen: Photo }) {
  const { photos, id: card_id } = card;
  const place = photos.findIndex(({ id }) => id === chosen.id);
  const arrange = useMutation({
    mutationFn: (arranged: readonly Photo[]) =>
      trpcClient.photos.arrange.mutate({
        card_id,
        photos: arranged.map(({ id, side }) => ({ photo_id: id, side })),
      }),
    onSuccess: keepCard,
  });
  const copy = useMutation({
    mutationFn: () =>
      trpcClient.photos.copy.mutate({ card_id, photo_id: chosen.id, side: "listing" }),
    onSuccess: keepCard,
  });
  const remove = useMutation({
    mutationFn: (gone: Photo) => trpcClient.photos.remove.mutate({ card_id, photo_ids: [gone.id] }),
    onSuccess: ({ card: changed, removed }, gone) => {
      keepCard(changed);
      offerUndo({
        message: `${sideWords[gone.side]} photo removed.`,
        hasSentEvents: changed.workflow_status !== card.workflow_status,
        async undo() {
          keepCard(await giveBack(card, gone, removed));
          return undefined;
        },
      });
    },
  });
  const side = useChoice(chosen.side, (value) =>
    arrange.mutate(
      photos.map((one) => (one.id === chosen.id ? { ...one, side: value as PhotoSide } : one)),
    ),
  );
  function moveTo(target: number): void {
    const moved = photos.filter(({ id }) => id !== chosen.id);
    moved.splice(target, 0, chosen);
    arrange.mutate(moved);
  }
  return (
    <>
      <Group gap={4}>
        <NativeSelect
          aria-label="Side"
          size="xs"
          data={photoSides.map((value) => ({ value, label: sideWords[value] }))}
          {...side}
        />
        <Button
          size="xs"
          px={8}
          variant="default"
          aria-label="Earlier"
          title="Earlier"
          disabled={place <= 0}
          onClick={() => moveTo(place - 1)}
        >
          <IconArrowLeft size={16} aria-hidden />
        </Button>
        <Button
          size="xs"
          px={8}
          variant="default"
          aria-label="Later"
          title="Later"
          disabled={place === photos.length - 1}
          onClick={() => moveTo(place + 1)}
        >
          <IconArrowRight size={16} aria-hidden />
        </Button>
        {chosen.side === "listing" ? null : (
          <Button
            size="xs"
            variant="default"
            loading={copy.isPending}
            onClick={() => copy.mutate()}
          >
            Use for the listing
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          loading={remove.isPending}
          onClick={() => remove.mutate(chosen)}
        >
          Remove
        </Button>
      </Group>
      <ProblemNote error={arrange.error ?? copy.error ?? remove.error} />
    </>
  );
}

/** Back to where it stood; behind the others, where they are not those that stood there. */
async function giveBack(
  before: Card,
  gone: Photo,
  removed: RemovedPhotos["removed"],
): Promise<Card> {
  const card_id = before.id;
  const back = await trpcClient.photos.attach.mutate({ card_id, photos: removed });
  const [given] = removed;
  const sides = new Map(back.photos.map(({ id, side }) => [id, side]));
  const photos = before.photos.flatMap(({ id }) => {
    const photo_id = id === gone.id ? (given?.photo_id ?? id) : id;
    const side = sides.get(photo_id);
    return side === undefined ? [] : [{ photo_id, side }];
  });
  if (photos.length !== sides.size) return back;
  return trpcClient.photos.arrange.mutate({ card_id, photos });
}
