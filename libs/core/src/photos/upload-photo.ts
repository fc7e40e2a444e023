import type { UploadedPhoto } from "@cardvault/contract";
import { insertLoosePhotos } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";
import { addImportFile } from "./imports/add-import-file.ts";
import { keepPicture } from "./keep-picture.ts";
import type { GivenFile, PictureNeeds } from "./keep-picture.ts";

/** What an upload says of a file beside its bytes. */
export interface UploadedFile {
  name: string;
  /** The import of photos that it belongs to; else it waits for a card. */
  importId?: string | undefined;
}

export type UploadNeeds = PictureNeeds & Pick<Services, "photoUrls">;

/**
 * Keeps an uploaded file as a photo that belongs to no card yet, or to an import.
 * @throws VaultError `unsupported_media_type`, `body_too_large`, `photo_unavailable` for the file;
 * `not_found`, `conflict` for the import; `service_unavailable`
 */
export async function uploadPhoto(
  needs: UploadNeeds,
  { accountId }: Pick<Access, "accountId">,
  { name, importId }: UploadedFile,
  file: GivenFile,
): Promise<UploadedPhoto> {
  const { photoId, kept } = await keepPicture(needs, accountId, file, async (tx, picture) => {
    if (importId !== undefined) {
      const added = await addImportFile(tx, needs.clock, accountId, importId, { name }, picture);
      return { photoId: added, kept: picture };
    }
    const id = newId("img");
    await insertLoosePhotos(tx, picture.row, [id], needs.clock.now());
    return { photoId: id, kept: picture };
  });
  return {
    id: photoId,
    url: needs.photoUrls.urlOf(photoId, "full"),
    thumbnail_url: needs.photoUrls.urlOf(photoId, "thumbnail"),
    width: kept.row.width,
    height: kept.row.height,
    was_known: kept.wasKnown,
  };
}
