/** A file of an import, as its name and place tell of it. */
export type ImportedFile = { position: number; name: string };

/** How files become cards. `singles`: each file is the front of a card of its own. */
export const pairingRules = ["alternating", "fronts_then_backs", "by_name", "singles"] as const;
export type PairingRule = (typeof pairingRules)[number];

/** The files of one card, by their positions. */
export type PhotoGroup = { front: number; back: number | null };

/** What a rule makes of files. Leftovers are those that it cannot place. */
export type Pairing = { groups: PhotoGroup[]; leftovers: number[] };

/** Pairs fronts and backs by a rule. Files are taken in the order of their positions. */
export function pairPhotos(files: readonly ImportedFile[], rule: PairingRule): Pairing {
  const inOrder = files.toSorted((left, right) => left.position - right.position);
  switch (rule) {
    case "alternating":
      return alternating(inOrder);
    case "fronts_then_backs":
      return frontsThenBacks(inOrder);
    case "by_name":
      return byName(inOrder);
    case "singles":
      return {
        groups: inOrder.map(({ position }) => ({ front: position, back: null })),
        leftovers: [],
      };
  }
}

/** 1-2, 3-4. The last of an odd number has no back, and may be one that is missing its front. */
function alternating(files: readonly ImportedFile[]): Pairing {
  const groups: PhotoGroup[] = [];
  for (let at = 0; at + 1 < files.length; at += 2) {
    groups.push({ front: positionAt(files, at), back: positionAt(files, at + 1) });
  }
  return { groups, leftovers: files.length % 2 === 0 ? [] : [positionAt(files, files.length - 1)] };
}

/** The first half are fronts, the second their backs in the same order: a pile that was turned over. */
function frontsThenBacks(files: readonly ImportedFile[]): Pairing {
  const half = Math.floor(files.length / 2);
  const groups = files.slice(0, half).map(({ position }, at) => ({
    front: position,
    back: positionAt(files, half + at),
  }));
  return { groups, leftovers: files.length % 2 === 0 ? [] : [positionAt(files, files.length - 1)] };
}

/** Endings that say a side. The longer ones first: `front` ends in no other. */
const sideEndings: readonly { pattern: RegExp; side: "front" | "back" }[] = [
  { pattern: /^(.*?)[\s._-]*\(?(?:front|recto|obverse)\)?$/, side: "front" },
  { pattern: /^(.*?)[\s._-]*\(?(?:back|rear|verso|reverse)\)?$/, side: "back" },
  { pattern: /^(.*?)[\s._-]+\(?f\)?$/, side: "front" },
  { pattern: /^(.*?)[\s._-]+\(?b\)?$/, side: "back" },
  { pattern: /^(.*\d)[\s._-]*a$/, side: "front" },
  { pattern: /^(.*\d)[\s._-]*b$/, side: "back" },
];

type Named = { position: number; stem: string };
type Numbered = Named & { number: number };

/**
 * By what names say: `12_front` and `12_back`, `12a` and `12b`, `12-1` and `12-2`; else by their
 * numbers, of which two that follow each other are a card (`IMG_0001`, `IMG_0002`). A front without a
 * back is a card; a back without a front, or a second one of a side, is left over.
 */
function byName(files: readonly ImportedFile[]): Pairing {
  const fronts = new Map<string, number>();
  const backs = new Map<string, number>();
  const leftovers: number[] = [];
  const put = (sides: Map<string, number>, { stem, position }: Named): void => {
    if (sides.has(stem)) leftovers.push(position);
    else sides.set(stem, position);
  };
  const unsided: ImportedFile[] = [];
  for (const file of files) {
    const named = sideOf(file);
    if (named === null) unsided.push(file);
    else put(named.side === "front" ? fronts : backs, named);
  }
  for (const file of sidesByOneAndTwo(unsided)) {
    put(file.number === 1 ? fronts : backs, file);
    unsided.splice(
      unsided.findIndex(({ position }) => position === file.position),
      1,
    );
  }
  const groups = [...fronts].map(([stem, front]): PhotoGroup => {
    const back = backs.get(stem) ?? null;
    backs.delete(stem);
    return { front, back };
  });
  const sequence = inSequence(unsided);
  groups.push(...sequence.groups);
  leftovers.push(...backs.values(), ...sequence.leftovers);
  return {
    groups: groups.toSorted((left, right) => left.front - right.front),
    leftovers: leftovers.toSorted((left, right) => left - right),
  };
}

function sideOf(file: ImportedFile): (Named & { side: "front" | "back" }) | null {
  const bare = bareName(file.name);
  for (const { pattern, side } of sideEndings) {
    const stem = pattern.exec(bare)?.[1];
    if (stem !== undefined) return { position: file.position, stem, side };
  }
  return null;
}

/** `12-1` and `12-2`: only where a stem has no other numbers, or it is a sequence. */
function sidesByOneAndTwo(files: readonly ImportedFile[]): Numbered[] {
  const byStem = new Map<string, Numbered[]>();
  for (const file of files) {
    const [, stem, digits] = /^(.+?)[\s._-]*[([]?(\d+)[)\]]?$/.exec(bareName(file.name)) ?? [];
    if (stem === undefined || digits === undefined) continue;
    const numbered = { position: file.position, stem, number: Number(digits) };
    byStem.set(stem, [...(byStem.get(stem) ?? []), numbered]);
  }
  return [...byStem.values()]
    .filter((ones) => ones.some(({ stem }) => /\d/.test(stem)))
    .filter((ones) => ones.every(({ number }) => number === 1 || number === 2))
    .flat();
}

/** Two whose numbers follow each other are a card; one whose neighbour is missing is a front. */
function inSequence(files: readonly ImportedFile[]): Pairing {
  const numbered = files.map((file) => {
    const [, stem = "", digits = ""] = /^(.*?)(\d+)\)?$/.exec(bareName(file.name)) ?? [];
    return { position: file.position, stem, number: digits === "" ? NaN : Number(digits) };
  });
  const sorted = numbered.toSorted(
    (left, right) =>
      compareText(left.stem, right.stem) ||
      (left.number || 0) - (right.number || 0) ||
      left.position - right.position,
  );
  const groups: PhotoGroup[] = [];
  for (let at = 0; at < sorted.length; at += 1) {
    const [one, next] = [sorted[at], sorted[at + 1]];
    if (one === undefined) break;
    const follows = next?.stem === one.stem && next.number === one.number + 1;
    groups.push({ front: one.position, back: follows ? next.position : null });
    if (follows) at += 1;
  }
  return { groups, leftovers: [] };
}

/** Lower case, without folder and ending. */
function bareName(name: string): string {
  const file = name.split(/[/\\]/u).at(-1) ?? "";
  return file
    .toLowerCase()
    .replace(/\.(?:jpe?g|png|webp|hei[cf])$/u, "")
    .trim();
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function positionAt(files: readonly ImportedFile[], at: number): number {
  return files[at]?.position ?? 0;
}
