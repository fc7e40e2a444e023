import { accountHeader } from "@cardvault/contract";
import type { Card, PhotoSide, UploadAnswer } from "@cardvault/contract";
import { currentAccountId } from "../../app/account.ts";
import { AuthError, problemOfAnswer, unreachable } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";

/**
 * Uploads photos and gives them to a card, behind those that it has: what it lacks of front and back first,
 * then photos for the listing.
 * @returns the card, the ids of its new photos, and the files that were refused, each with the reason
 * @throws AuthError where nothing could be uploaded; what `photos.attach` says
 */
export async function uploadPhotos(
  card: Card,
  files: readonly File[],
): Promise<{
  card: Card;
  added: string[];
  refused: { file: string; reason: string }[];
}> {
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  const response = await fetch("/photos", {
    method: "POST",
    headers: { [accountHeader]: currentAccountId() ?? "" },
    body: form,
  }).catch(() => {
    throw new AuthError(unreachable);
  });
  if (!response.ok) {
    throw new AuthError(problemOfAnswer(response, await response.json().catch(() => null)));
  }
  const answer = (await response.json()) as UploadAnswer;
  const uploaded = answer.files.flatMap(({ photo }) => (photo === null ? [] : [photo.id]));
  const refused = answer.files.flatMap(({ name, error }) =>
    error === null ? [] : [{ file: name, reason: error.message }],
  );
  if (uploaded.length === 0) return { card, added: [], refused };
  const sides = freeSides(card);
  const changed = await trpcClient.photos.attach.mutate({
    card_id: card.id,
    photos: uploaded.map((photo_id, index) => ({ photo_id, side: sides[index] ?? "listing" })),
  });
  const known = new Set(card.photos.map(({ id }) => id));
  const added = changed.photos.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  return { card: changed, added, refused };
}

function freeSides({ photos }: Card): PhotoSide[] {
  return (["front", "back"] as const).filter((side) => photos.every((one) => one.side !== side));
}
