import { photoImportIdInput, photoImportPreview } from "@cardvault/contract";
import type { PhotoImportFile, PhotoImportPreview } from "@cardvault/contract";
import {
  findImportDuplicates,
  getPhotoImport,
  readImportFiles,
  readImportHashes,
} from "@cardvault/db";
import type { PhotoImportFileRow, Queryable } from "@cardvault/db";
import { arrangement } from "@cardvault/domain";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { similarPairs } from "./similar.ts";

type Duplicate = PhotoImportFile["duplicates"][number];

/**
 * The cards that an import would make, and what is left over, dropped, missing and doubled. Likeness is
 * looked for among fronts: the backs of a game are all alike.
 * @throws VaultError `not_found`
 */
export async function previewImport(
  { photoUrls }: Pick<Services, "photoUrls">,
  db: Queryable,
  accountId: string,
  id: string,
): Promise<PhotoImportPreview> {
  const found = await getPhotoImport(db, accountId, id);
  const files = await readImportFiles(db, found.id);
  const hashes = await readImportHashes(db, accountId, found.id);
  const { groups, leftovers } = arrangement(files, found.pairing);
  const fronts = new Set(groups.map(({ front }) => front));
  const duplicates = sameFiles(files);
  const add = (position: number, duplicate: Duplicate): void => {
    duplicates.set(position, [...(duplicates.get(position) ?? []), duplicate]);
  };
  for (const pair of similarPairs(hashes.filter(({ position }) => fronts.has(position)))) {
    const { left, right, distance } = pair;
    const alike = { kind: "similar", card_id: null, distance } as const;
    add(left, { ...alike, position: right });
    add(right, { ...alike, position: left });
  }
  for (const { position, cardId, distance } of await findImportDuplicates(db, accountId, id)) {
    if (distance > 0 && !fronts.has(position)) continue;
    const kind = distance === 0 ? "same" : "similar";
    add(position, { kind, position: null, card_id: cardId, distance });
  }
  const pictures = new Map(hashes.map((one) => [one.position, one]));
  const shown = new Map<number, PhotoImportFile>();
  for (const { position, name } of files) {
    const picture = pictures.get(position);
    shown.set(position, {
      position,
      name,
      photo:
        picture === undefined
          ? null
          : {
              id: picture.photoId,
              url: photoUrls.urlOf(picture.photoId, "full"),
              thumbnail_url: photoUrls.urlOf(picture.photoId, "thumbnail"),
              width: picture.width,
              height: picture.height,
            },
      duplicates: duplicates.get(position) ?? [],
    });
  }
  const fileAt = (position: number): PhotoImportFile[] => {
    const file = shown.get(position);
    return file === undefined ? [] : [file];
  };
  return {
    import: found,
    cards: groups.flatMap(({ front, back }) =>
      fileAt(front).map((file) => ({
        front: file,
        back: back === null ? null : (shown.get(back) ?? null),
      })),
    ),
    leftovers: leftovers.flatMap(fileAt),
    dropped: files.filter(({ isDropped }) => isDropped).flatMap(({ position }) => fileAt(position)),
    missing_count: files.filter(isMissing).length,
  };
}

/** Announced, wanted, and not here. */
export function isMissing({ isDropped, photoId }: PhotoImportFileRow): boolean {
  return !isDropped && photoId === null;
}

/** Files with the very same bytes, each with the others. */
function sameFiles(files: readonly PhotoImportFileRow[]): Map<number, Duplicate[]> {
  const byHash = new Map<string, number[]>();
  for (const { contentHash, position } of files) {
    const hash = Buffer.from(contentHash).toString("hex");
    byHash.set(hash, [...(byHash.get(hash) ?? []), position]);
  }
  const duplicates = new Map<number, Duplicate[]>();
  for (const positions of byHash.values()) {
    if (positions.length === 1) continue;
    for (const position of positions) {
      const others = positions.filter((other) => other !== position);
      const same = { kind: "same", card_id: null, distance: 0 } as const;
      duplicates.set(
        position,
        others.map((other) => ({ ...same, position: other })),
      );
    }
  }
  return duplicates;
}

export const previewImportProcedure = session()
  .input(photoImportIdInput)
  .output(photoImportPreview)
  .query(({ ctx, input }) =>
    previewImport(ctx.services, ctx.services.db, ctx.access.accountId, input.id),
  );
