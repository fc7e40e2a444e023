import { VaultError } from "@cardvault/contract";
import { pairPhotos } from "./pair-photos.ts";
import type { ImportedFile, Pairing, PairingRule, PhotoGroup } from "./pair-photos.ts";

/** A file of an import and where it was put. Files that nobody has put anywhere go by the rule. */
export type ArrangedFile = ImportedFile & {
  isDropped: boolean;
  /** Files with the same number are one card. */
  group: number | null;
  side: "front" | "back" | null;
};

/** What a person changes in the pairs that a preview shows. All are named by positions of files. */
export type ArrangementEdit =
  | { type: "swap"; front: number }
  | { type: "split"; front: number }
  | { type: "merge"; front: number; back: number }
  | { type: "drop"; files: readonly number[] }
  | { type: "restore"; files: readonly number[] };

/** The cards that an import would make now, in their order, and what belongs to none. */
export function arrangement(files: readonly ArrangedFile[], rule: PairingRule): Pairing {
  const present = files.filter(({ isDropped }) => !isDropped);
  const placed = new Map<number, PhotoGroup>();
  for (const { group, side, position } of present) {
    if (group === null) continue;
    const known = placed.get(group);
    if (side === "back") placed.set(group, { front: known?.front ?? -1, back: position });
    else placed.set(group, { front: position, back: known?.back ?? null });
  }
  const paired = pairPhotos(
    present.filter(({ group }) => group === null),
    rule,
  );
  // The front of a card was dropped: its back alone is none.
  const whole = [...placed.values()].filter(({ front }) => front >= 0);
  const backs = [...placed.values()].flatMap(({ front, back }) =>
    front < 0 && back !== null ? [back] : [],
  );
  return {
    groups: [...whole, ...paired.groups].toSorted((left, right) => left.front - right.front),
    leftovers: [...backs, ...paired.leftovers].toSorted((left, right) => left - right),
  };
}

/** Every file where the preview shows it, so that what comes later moves none of them. */
export function settled(files: readonly ArrangedFile[], rule: PairingRule): ArrangedFile[] {
  return placedAs(files, arrangement(files, rule).groups);
}

/** Lets the rule decide again. What was dropped stays so. */
export function unsettled(files: readonly ArrangedFile[]): ArrangedFile[] {
  return files.map((file) => ({ ...file, group: null, side: null }));
}

/**
 * The files after an edit; whatever else the preview shows stays as it is.
 * @throws VaultError `conflict` for files that are not where the edit has them.
 */
export function editArrangement(
  files: readonly ArrangedFile[],
  rule: PairingRule,
  edit: ArrangementEdit,
): ArrangedFile[] {
  if (edit.type === "drop" || edit.type === "restore") return dropOrRestore(files, rule, edit);
  const { groups, leftovers } = arrangement(files, rule);
  if (edit.type === "merge") return placedAs(files, merged(groups, leftovers, edit));
  const group = groups.find(({ front }) => front === edit.front);
  if (group?.back == null) throw moved();
  const { front, back } = group;
  const others = groups.filter((one) => one !== group);
  return placedAs(
    files,
    edit.type === "swap"
      ? [...others, { front: back, back: front }]
      : [...others, { front, back: null }, { front: back, back: null }],
  );
}

/** Both may come from other pairs, whose other halves become cards of their own. */
function merged(
  groups: readonly PhotoGroup[],
  leftovers: readonly number[],
  { front, back }: { front: number; back: number },
): PhotoGroup[] {
  const isHere = (position: number): boolean =>
    leftovers.includes(position) ||
    groups.some((group) => group.front === position || group.back === position);
  if (front === back || !isHere(front) || !isHere(back)) throw moved();
  const taken = new Set([front, back]);
  const rest = groups.flatMap((group): PhotoGroup[] => {
    const left = [group.front, group.back].filter(
      (position): position is number => position !== null && !taken.has(position),
    );
    if (left.length === 2) return [group];
    return left.map((position) => ({ front: position, back: null }));
  });
  return [...rest, { front, back }];
}

/** The other half of a pair whose file is dropped stays a card of its own. */
function dropOrRestore(
  files: readonly ArrangedFile[],
  rule: PairingRule,
  edit: Extract<ArrangementEdit, { type: "drop" | "restore" }>,
): ArrangedFile[] {
  const named = new Set(edit.files);
  const isDropped = edit.type === "drop";
  if (edit.files.some((position) => !files.some((file) => file.position === position)))
    throw moved();
  const { groups } = arrangement(files, rule);
  const kept = groups.flatMap((group): PhotoGroup[] => {
    const left = [group.front, group.back].filter(
      (position): position is number => position !== null && !(isDropped && named.has(position)),
    );
    const [front, back] = left;
    return front === undefined ? [] : [{ front, back: back ?? null }];
  });
  const restored = isDropped
    ? []
    : files
        .filter((file) => named.has(file.position) && file.isDropped)
        .map(({ position }) => ({ front: position, back: null }));
  const marked = files.map((file) => (named.has(file.position) ? { ...file, isDropped } : file));
  return placedAs(marked, [...kept, ...restored]);
}

function placedAs(files: readonly ArrangedFile[], groups: readonly PhotoGroup[]): ArrangedFile[] {
  const places = new Map<number, { group: number; side: "front" | "back" }>();
  for (const { front, back } of groups) {
    // The front's position names the group: numbers then go in the order of the cards.
    places.set(front, { group: front, side: "front" });
    if (back !== null) places.set(back, { group: front, side: "back" });
  }
  return files.map((file) => ({
    ...file,
    group: places.get(file.position)?.group ?? null,
    side: places.get(file.position)?.side ?? null,
  }));
}

function moved(): VaultError {
  return new VaultError("conflict", {
    message: "The pairs have changed meanwhile: look at them again.",
  });
}
