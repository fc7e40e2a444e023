/**
 * The numbers by which eBay's templates name what a card is like, from its table of condition
 * descriptors for trading cards (developer.ebay.com, "Condition descriptor IDs for trading cards").
 */
const conditionIds: Readonly<Record<string, string>> = {
  "400010": "near mint or better",
  "400011": "excellent",
  "400012": "very good",
  "400013": "poor",
  "400015": "lightly played (excellent)",
  "400016": "moderately played (very good)",
  "400017": "heavily played (poor)",
};

const graderIds: Readonly<Record<string, string>> = {
  "275010": "PSA",
  "275011": "BCCG",
  "275012": "BVG",
  "275013": "BGS",
  "275014": "CSG",
  "275015": "CGC",
  "275016": "SGC",
  "275017": "KSA",
  "275018": "GMA",
  "275019": "HGA",
};

const grades = "10 9.5 9 8.5 8 7.5 7 6.5 6 5.5 5 4.5 4 3.5 3 2.5 2 1.5 1 Authentic".split(" ");
/** `275020` is a 10, `2750210` a 5. */
const gradeIds: Readonly<Record<string, string>> = Object.fromEntries(
  grades.map((grade, index) => [`27502${index}`, grade]),
);

const names: Readonly<Record<string, string>> = { ...conditionIds, ...graderIds, ...gradeIds };

/** What a number of eBay's stands for; any other text is itself. */
export function ebayName(text: string): string {
  return names[text.trim()] ?? text;
}

function idOf(ids: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(ids).find(([, known]) => known === name)?.[0] ?? name;
}

export const ebayGrader = (grader: string): string => idOf(graderIds, grader);
export const ebayGrade = (grade: string): string => idOf(gradeIds, grade);
