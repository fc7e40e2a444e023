import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrangement, editArrangement, settled, unsettled } from "./arrange-import.ts";
import type { ArrangedFile, ArrangementEdit } from "./arrange-import.ts";

const four: ArrangedFile[] = ["a", "b", "c", "d"].map((name, position) => ({
  position,
  name,
  isDropped: false,
  group: null,
  side: null,
}));

function after(edit: ArrangementEdit, files = four): string {
  return shown(editArrangement(files, "alternating", edit));
}

function shown(files: ArrangedFile[]): string {
  const { groups, leftovers } = arrangement(files, "alternating");
  const pairs = groups.map(({ front, back }) => `${front}-${back ?? ""}`).join(" ");
  return leftovers.length === 0 ? pairs : `${pairs} left ${leftovers.join(" ")}`;
}

describe("an edit changes what it names, and nothing else moves", () => {
  test.each<[ArrangementEdit, string]>([
    [{ type: "swap", front: 0 }, "1-0 2-3"],
    [{ type: "split", front: 0 }, "0- 1- 2-3"],
    [{ type: "merge", front: 1, back: 2 }, "0- 1-2 3-"],
    [{ type: "merge", front: 1, back: 0 }, "1-0 2-3"],
    [{ type: "drop", files: [0] }, "1- 2-3"],
    [{ type: "drop", files: [2, 3] }, "0-1"],
  ])("%j", (edit, wanted) => {
    expect(after(edit)).toBe(wanted);
  });

  test("what was dropped comes back as a card of its own", () => {
    const dropped = editArrangement(four, "alternating", { type: "drop", files: [1] });
    expect(after({ type: "restore", files: [1] }, dropped)).toBe("0- 1- 2-3");
  });

  test("files that come later are paired among themselves", () => {
    const more = [4, 5].map((position) => ({ ...four[0], position, name: "x" }) as ArrangedFile);
    const split = editArrangement(four, "alternating", { type: "split", front: 0 });
    expect(shown([...split, ...more])).toBe("0- 1- 2-3 4-5");
  });

  test("the rule decides again when it is asked to", () => {
    const split = editArrangement(four, "alternating", { type: "split", front: 0 });
    expect(shown(unsettled(split))).toBe("0-1 2-3");
  });

  test.each<ArrangementEdit>([
    { type: "swap", front: 1 },
    { type: "split", front: 9 },
    { type: "merge", front: 0, back: 0 },
    { type: "merge", front: 0, back: 9 },
    { type: "drop", files: [9] },
  ])("%j does not fit, and says so", (edit) => {
    expect(() => after(edit)).toThrow(expect.objectContaining({ code: "conflict" }));
  });
});

test("after any edits every file is shown once, and settling changes nothing that is shown", () => {
  const edit = fc.oneof(
    fc.record({ type: fc.constantFrom("swap" as const, "split" as const), front: fc.nat(7) }),
    fc.record({ type: fc.constant("merge" as const), front: fc.nat(7), back: fc.nat(7) }),
    fc.record({
      type: fc.constantFrom("drop" as const, "restore" as const),
      files: fc.array(fc.nat(7), { minLength: 1, maxLength: 3 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      let files: ArrangedFile[] = Array.from({ length: 7 }, (_, position) => ({
        ...(four[0] as ArrangedFile),
        position,
      }));
      for (const one of edits) {
        try {
          files = editArrangement(files, "alternating", one);
        } catch {
          // It named what is not there.
        }
      }
      const { groups, leftovers } = arrangement(files, "alternating");
      const placed = [
        ...groups.flatMap(({ front, back }) => (back === null ? [front] : [front, back])),
        ...leftovers,
      ];
      const present = files.filter(({ isDropped }) => !isDropped).map(({ position }) => position);
      expect(placed.toSorted((a, b) => a - b)).toEqual(present);
      expect(shown(settled(files, "alternating"))).toBe(shown(files));
    }),
  );
});
