import * as z from "zod";
import { card, photo } from "./card.ts";
import { batchId, cardId, exampleId, jobId, photoId } from "./ids.ts";
import { pageShape } from "./lists.ts";
import { errorCodes } from "./errors.ts";
import { photoSides } from "./states.ts";
import { filledText, timestamp } from "./text.ts";

/** Pictures of one card; eBay shows as many. */
export const maxPhotosPerCard = 24;
/** Files of one upload. More are several uploads. */
export const maxFilesPerUpload = 20;
/** Files of one import of photos. */
export const maxPhotoImportFiles = 4_000;
/** Files that one call announces or edits. */
export const maxAnnouncedFiles = 500;

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "Must be a SHA-256 in hexadecimal")
  .meta({ description: "SHA-256 of the file, in hexadecimal." });
const fileName = filledText(255);
const imagePosition = z
  .int()
  .min(0)
  .max(maxPhotoImportFiles * 2);

/** A picture that has been uploaded and belongs to no card yet. It is kept for a day. */
export const uploadedPhoto = z.strictObject({
  ...photo.omit({ side: true }).shape,
  /** The account had this very file already. */
  was_known: z.boolean(),
});
export type UploadedPhoto = z.output<typeof uploadedPhoto>;

/** What `POST /photos` answers: one entry for each file, in their order. One that is refused stops no other. */
export const uploadAnswer = z.strictObject({
  files: z.array(
    z.strictObject({
      name: z.string(),
      photo: uploadedPhoto.nullable(),
      error: z.strictObject({ code: z.enum(errorCodes), message: z.string() }).nullable(),
    }),
  ),
});
export type UploadAnswer = z.output<typeof uploadAnswer>;

const placedPhoto = z.strictObject({ photo_id: photoId, side: z.enum(photoSides) });
const placedPhotos = z.array(placedPhoto).min(1).max(maxPhotosPerCard);

/** `photos.attach`: uploaded photos to a card, after those that it has. Answers the card. */
export const attachPhotosInput = z.strictObject({ card_id: z.string(), photos: placedPhotos });
export type AttachPhotos = z.output<typeof attachPhotosInput>;

/** `photos.arrange`: all photos of a card in the order and with the sides that they are to have. */
export const arrangePhotosInput = z.strictObject({ card_id: z.string(), photos: placedPhotos });
export type ArrangePhotos = z.output<typeof arrangePhotosInput>;

/** `photos.copy`: the same picture once more, as a front for the listing. Answers the card. */
export const copyPhotoInput = z.strictObject({
  card_id: z.string(),
  photo_id: z.string(),
  side: z.enum(photoSides),
});
export type CopyPhoto = z.output<typeof copyPhotoInput>;

/** `photos.remove` */
export const removePhotosInput = z.strictObject({
  card_id: z.string(),
  photo_ids: z.array(z.string()).min(1).max(maxPhotosPerCard),
});
export type RemovePhotos = z.output<typeof removePhotosInput>;

/**
 * The card without them; and each, in the order in which they stood, once more as an upload that is no card's:
 * `photos.attach` takes it as it is, and gives it back.
 */
export const removedPhotos = z.strictObject({
  card,
  removed: z.array(z.strictObject({ photo_id: z.string(), side: z.enum(photoSides) })),
});
export type RemovedPhotos = z.output<typeof removedPhotos>;

/** How files become cards: in the order 1-2, 3-4; all fronts, then all backs; by their names; each alone. */
export const photoPairings = ["alternating", "fronts_then_backs", "by_name", "singles"] as const;
export type PhotoPairing = (typeof photoPairings)[number];
export const photoImportStatuses = ["open", "committing", "done"] as const;
export type PhotoImportStatus = (typeof photoImportStatuses)[number];

export const photoImport = z.strictObject({
  id: z.string().meta({ examples: [exampleId("pim")] }),
  batch_id: batchId,
  status: z.enum(photoImportStatuses),
  pairing: z.enum(photoPairings),
  /** Files that were announced or uploaded, and how many of them are here. Dropped ones count too. */
  file_count: z.int().min(0),
  uploaded_count: z.int().min(0),
  /** Cards that have been made of it. */
  card_count: z.int().min(0),
  /** The job that makes the cards, once it was asked for. */
  job_id: jobId.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type PhotoImport = z.output<typeof photoImport>;

/** `photoImports.create`: into an open batch. */
export const photoImportCreateInput = z.strictObject({
  batch_id: z.string(),
  pairing: z.enum(photoPairings).default("by_name"),
});
export type PhotoImportCreate = z.output<typeof photoImportCreateInput>;

/** `photoImports.get`, `.preview`, `.discard`. */
export const photoImportIdInput = z.strictObject({ id: z.string() });
/** `photoImports.list`: the latest first. */
export const photoImportListInput = z.strictObject({ ...pageShape });
export const photoImportListAnswer = z.strictObject({
  data: z.array(photoImport),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});

/**
 * `photoImports.announce`: which files there are, in their order, before they are uploaded. A file that
 * is here by its hash needs no upload; announcing the same name and hash again changes nothing.
 */
export const photoImportAnnounceInput = z.strictObject({
  id: z.string(),
  files: z
    .array(z.strictObject({ name: fileName, sha256, byte_size: z.int().min(1) }))
    .min(1)
    .max(maxAnnouncedFiles),
});
export type PhotoImportAnnounce = z.output<typeof photoImportAnnounceInput>;
export const photoImportAnnounceAnswer = z.strictObject({
  files: z.array(
    z.strictObject({
      position: imagePosition,
      name: z.string(),
      sha256,
      /** Whether it has to be uploaded. */
      needed: z.boolean(),
    }),
  ),
});
export type PhotoImportAnnounced = z.output<typeof photoImportAnnounceAnswer>;

/** `photoImports.pair`: lets a rule pair all files anew. Pairs that were made by hand are gone. */
export const photoImportPairInput = z.strictObject({
  id: z.string(),
  pairing: z.enum(photoPairings),
});
export type PhotoImportPair = z.output<typeof photoImportPairInput>;

const positions = z.array(imagePosition).min(1).max(maxAnnouncedFiles);

/** One change of the pairs. Files are named by their position. */
export const photoImportEdit = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("swap"), front: imagePosition }),
  z.strictObject({ type: z.literal("split"), front: imagePosition }),
  z.strictObject({ type: z.literal("merge"), front: imagePosition, back: imagePosition }),
  z.strictObject({ type: z.literal("drop"), files: positions }),
  z.strictObject({ type: z.literal("restore"), files: positions }),
]);
/** `photoImports.edit`; answers the preview. */
export const photoImportEditInput = z.strictObject({ id: z.string(), edit: photoImportEdit });
export type PhotoImportEdit = z.output<typeof photoImportEditInput>;

/** What a file is like: another of the import, or a card's photo. `same`: the very same bytes. */
export const photoDuplicate = z.strictObject({
  kind: z.enum(["same", "similar"]),
  position: imagePosition.nullable(),
  card_id: cardId.nullable(),
  /** Of 256 bits of their perceptual hashes; 0 for the same. */
  distance: z.int().min(0),
});

export const photoImportFile = z.strictObject({
  position: imagePosition,
  name: z.string(),
  /** Null until it has been uploaded. */
  photo: photo.omit({ side: true }).nullable(),
  duplicates: z.array(photoDuplicate),
});
export type PhotoImportFile = z.output<typeof photoImportFile>;

/** `photoImports.preview`: the cards that it would make, in their order, and what belongs to none. */
export const photoImportPreview = z.strictObject({
  import: photoImport,
  cards: z.array(z.strictObject({ front: photoImportFile, back: photoImportFile.nullable() })),
  leftovers: z.array(photoImportFile),
  dropped: z.array(photoImportFile),
  /** Announced and not uploaded: it cannot be committed until they are here or dropped. */
  missing_count: z.int().min(0),
});
export type PhotoImportPreview = z.output<typeof photoImportPreview>;

/** `photoImports.commit`: makes the cards, by a job. Leftovers are refused unless they are to be left out. */
export const photoImportCommitInput = z.strictObject({
  id: z.string(),
  leave_out_leftovers: z.boolean().default(false),
});
export type PhotoImportCommit = z.output<typeof photoImportCommitInput>;
