import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairingRules, pairPhotos } from "./pair-photos.ts";
import type { Pairing } from "./pair-photos.ts";

const files = (...names: string[]) => names.map((name, position) => ({ position, name }));

/** `front/back` by name, and the leftovers. */
function named(names: string[], { groups, leftovers }: Pairing): string[] {
  const nameAt = (position: number | null): string =>
    position === null ? "" : (names[position] ?? "");
  return [
    ...groups.map(({ front, back }) => `${nameAt(front)}|${nameAt(back)}`),
    ...leftovers.map((position) => `left ${nameAt(position)}`),
  ];
}

describe("by order", () => {
  test("1-2, 3-4; the last of an odd number is left over", () => {
    expect(pairPhotos(files("a", "b", "c", "d", "e"), "alternating")).toEqual({
      groups: [
        { front: 0, back: 1 },
        { front: 2, back: 3 },
      ],
      leftovers: [4],
    });
  });

  test("all fronts, then all backs", () => {
    expect(pairPhotos(files("a", "b", "c", "d"), "fronts_then_backs").groups).toEqual([
      { front: 0, back: 2 },
      { front: 1, back: 3 },
    ]);
  });
});

describe("by name", () => {
  test.each([
    [["x_front.jpg", "x_back.jpg"], ["x_front.jpg|x_back.jpg"]],
    [["X-Back.JPG", "x-front.jpg"], ["x-front.jpg|X-Back.JPG"]],
    [
      ["12a.png", "12b.png", "13a.png"],
      ["12a.png|12b.png", "13a.png|"],
    ],
    [
      ["card7-1.jpg", "card7-2.jpg", "card8-2.jpg", "card8-1.jpg"],
      ["card7-1.jpg|card7-2.jpg", "card8-1.jpg|card8-2.jpg"],
    ],
    [["card7 (1).jpg", "card7 (2).jpg"], ["card7 (1).jpg|card7 (2).jpg"]],
    [["0001_f.heic", "0001_b.heic"], ["0001_f.heic|0001_b.heic"]],
    [["deck verso.webp", "deck recto.webp"], ["deck recto.webp|deck verso.webp"]],
    [
      ["IMG_0001.jpg", "IMG_0002.jpg", "IMG_0003.jpg", "IMG_0004.jpg"],
      ["IMG_0001.jpg|IMG_0002.jpg", "IMG_0003.jpg|IMG_0004.jpg"],
    ],
    [["IMG_0002.jpg", "IMG_0001.jpg"], ["IMG_0001.jpg|IMG_0002.jpg"]],
    // One of a card is missing: its other half does not shift all that follow.
    [
      ["IMG_0001.jpg", "IMG_0003.jpg", "IMG_0004.jpg"],
      ["IMG_0001.jpg|", "IMG_0003.jpg|IMG_0004.jpg"],
    ],
    [
      ["scan9.jpg", "scan10.jpg", "scan11.jpg", "scan12.jpg"],
      ["scan9.jpg|scan10.jpg", "scan11.jpg|scan12.jpg"],
    ],
    [
      ["scan_1.jpg", "scan_2.jpg", "scan_3.jpg", "scan_4.jpg"],
      ["scan_1.jpg|scan_2.jpg", "scan_3.jpg|scan_4.jpg"],
    ],
    [
      ["20261121_101500_0001.jpg", "20261121_101500_0002.jpg"],
      ["20261121_101500_0001.jpg|20261121_101500_0002.jpg"],
    ],
    [["x_back.jpg"], ["left x_back.jpg"]],
    [
      ["x_front.jpg", "x_front.png"],
      ["x_front.jpg|", "left x_front.png"],
    ],
    [["box1/7a.jpg", "box1/7b.jpg"], ["box1/7a.jpg|box1/7b.jpg"]],
    [
      ["Pikachu.jpg", "Eevee.jpg"],
      ["Pikachu.jpg|", "Eevee.jpg|"],
    ],
  ])("%j", (names, wanted) => {
    const pairing = pairPhotos(files(...names), "by_name");
    expect(named(names, pairing).toSorted()).toEqual(wanted.toSorted());
  });
});

test("every file is in one place, whatever the rule and the names", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .tuple(
        fc.constantFrom("IMG_", "scan", "a b "),
        fc.nat(30),
        fc.constantFrom("", "a", "b", "_front", "-1", "-2", " back"),
      )
      .map(([stem, number, end]) => `${stem}${number}${end}.jpg`),
  );
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 30 }),
      fc.constantFrom(...pairingRules),
      (names, rule) => {
        const { groups, leftovers } = pairPhotos(files(...names), rule);
        const placed = [
          ...groups.flatMap(({ front, back }) => (back === null ? [front] : [front, back])),
          ...leftovers,
        ];
        expect(placed.toSorted((left, right) => left - right)).toEqual(names.map((_, at) => at));
      },
    ),
  );
});
