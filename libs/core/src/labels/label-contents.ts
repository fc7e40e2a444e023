import { maxLabels, placeScanPrefix } from "@cardvault/contract";
import type { LabelPreviewInput } from "@cardvault/contract";
import { readLabelCards, readLabelPlaces } from "@cardvault/db";
import type { LabelCard, Queryable } from "@cardvault/db";
import type { LabelContent } from "@cardvault/labels";

/** What is printed, in the order of the subjects, and whether there were more than one document holds. */
interface LabelContents {
  labels: LabelContent[];
  isCut: boolean;
}

/**
 * The labels of cards or places. A card's says its SKU to a scanner, its id where it has none; a place's
 * says its code, else the mark of a place and its text. What is not there has no label.
 */
export async function labelContents(
  db: Queryable,
  accountId: string,
  { subjects, copies }: Pick<LabelPreviewInput, "subjects" | "copies">,
): Promise<LabelContents> {
  const once = await subjectLabels(db, accountId, subjects);
  const labels = once.flatMap((label) => Array.from({ length: copies }, () => label));
  return { labels: labels.slice(0, maxLabels), isCut: labels.length > maxLabels };
}

async function subjectLabels(
  db: Queryable,
  accountId: string,
  subjects: LabelPreviewInput["subjects"],
): Promise<LabelContent[]> {
  const limit = maxLabels + 1;
  if (subjects.type === "cards") {
    const cards = await readLabelCards(db, accountId, subjects.selection, limit);
    return cards.map(cardLabel);
  }
  const wanted =
    subjects.type === "locations" ? { paths: subjects.paths } : { within: subjects.path };
  const places = await readLabelPlaces(db, accountId, wanted, limit);
  return places.map(({ path, code, separator }) => ({
    code: code ?? placeScanPrefix + path,
    lines: placeLines(path, separator),
  }));
}

function cardLabel({ id, sku, title, set, number, condition, location }: LabelCard): LabelContent {
  return {
    code: sku ?? id,
    lines: [
      title ?? "",
      [set, number].filter((part) => part !== null).join(" "),
      [condition, location].filter((part) => part !== null).join(" · "),
    ],
  };
}

/** The place itself large, and where it is below. */
function placeLines(path: string, separator: string): string[] {
  const at = path.lastIndexOf(separator);
  const name = at === -1 ? "" : path.slice(at + separator.length);
  return name === "" ? [path] : [name, path];
}
