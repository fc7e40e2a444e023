import type {
  PhotoImportEdit,
  PhotoImportFile,
  PhotoImportPreview,
  PhotoPairing,
} from "@cardvault/contract";
import { useMutation } from "@tanstack/react-query";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";

type Edit = PhotoImportEdit["edit"];

/** Changes of the pairs, each of which answers them anew. */
export function usePairEdits(id: string) {
  const key = trpc.photoImports.preview.queryKey({ id });
  const keep = (after: PhotoImportPreview) => queryClient.setQueryData(key, after);
  // What was shown is not what is there: it is asked for again, and what was chosen stays.
  const onError = () => void queryClient.invalidateQueries({ queryKey: key });
  const edit = useMutation({
    async mutationFn(edits: readonly Edit[]) {
      let after: PhotoImportPreview | undefined;
      for (const one of edits) after = await trpcClient.photoImports.edit.mutate({ id, edit: one });
      return after;
    },
    onSuccess: (after) => {
      if (after !== undefined) keep(after);
    },
    onError,
  });
  const pair = useMutation({
    mutationFn: (pairing: PhotoPairing) => trpcClient.photoImports.pair.mutate({ id, pairing }),
    onSuccess: keep,
    onError,
  });
  return { edit, pair };
}

/** The pair that a file is the front or the back of. */
export function pairOf(preview: PhotoImportPreview, position: number) {
  return preview.cards.find(
    ({ front, back }) => front.position === position || back?.position === position,
  );
}

/** What a file is like, in words; null where it is like nothing. */
export function duplicateWords(
  file: PhotoImportFile,
  names: ReadonlyMap<number, string>,
): { words: string; cardId: string | null } | null {
  const found = file.duplicates.find(({ kind }) => kind === "same") ?? file.duplicates[0];
  if (found === undefined) return null;
  const isSame = found.kind === "same";
  if (found.card_id !== null) {
    return { words: isSame ? "A card has this photo" : "Looks like a card", cardId: found.card_id };
  }
  const other = found.position === null ? "another" : (names.get(found.position) ?? "another");
  return { words: `${isSame ? "Same as" : "Looks like"} ${other}`, cardId: null };
}

export function filesOf(preview: PhotoImportPreview): PhotoImportFile[] {
  const paired = preview.cards.flatMap(({ front, back }) =>
    back === null ? [front] : [front, back],
  );
  return [...paired, ...preview.leftovers, ...preview.dropped];
}
