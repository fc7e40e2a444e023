/** A grader or a condition, with the id that eBay has given it. */
type Values = readonly (readonly [id: string, name: string])[];

const graders: Values = [
  ["275010", "Professional Sports Authenticator (PSA)"],
  ["275011", "Beckett Collectors Club Grading (BCCG)"],
  ["275012", "Beckett Vintage Grading (BVG)"],
  ["275013", "Beckett Grading Services (BGS)"],
  ["275014", "Certified Sports Guaranty (CSG)"],
  ["275015", "Certified Guaranty Company (CGC)"],
  ["275016", "Sportscard Guaranty Corporation (SGC)"],
  ["275017", "K Sportscard Authentication (KSA)"],
  ["275018", "Gem Mint Authentication (GMA)"],
  ["275019", "Hybrid Grading Approach (HGA)"],
  ["2750115", "Technical Authentication & Grading (TAG)"],
  ["2750119", "Ace Grading"],
  ["2750123", "Other"],
];

const gradeNames = [
  "10",
  "9.5",
  "9",
  "8.5",
  "8",
  "7.5",
  "7",
  "6.5",
  "6",
  "5.5",
  "5",
  "4.5",
  "4",
  "3.5",
  "3",
  "2.5",
  "2",
  "1.5",
  "1",
  "Authentic",
  "Authentic Altered",
];
const grades: Values = gradeNames.map((name, index) => [`27502${index}`, name]);

const playedConditions: Values = [
  ["400010", "Near mint or better"],
  ["400015", "Lightly played (Excellent)"],
  ["400016", "Moderately played (Very good)"],
  ["400017", "Heavily played (Poor)"],
];
const sportsConditions: Values = [
  ["400010", "Near mint or better"],
  ["400011", "Excellent"],
  ["400012", "Very good"],
  ["400013", "Poor"],
];

export interface CardCategory {
  readonly id: string;
  readonly conditions: Values;
  readonly requiredAspects: readonly string[];
  readonly otherAspects: readonly string[];
}

export const cardCategories: readonly CardCategory[] = [
  {
    id: "183454",
    conditions: playedConditions,
    requiredAspects: ["Game"],
    otherAspects: ["Card Name", "Card Number", "Set", "Rarity", "Language", "Finish"],
  },
  {
    id: "261328",
    conditions: sportsConditions,
    requiredAspects: ["Sport"],
    otherAspects: ["Player/Athlete", "Season", "Manufacturer", "Set", "Card Number", "Team"],
  },
  {
    id: "183050",
    conditions: sportsConditions,
    requiredAspects: [],
    otherAspects: ["Franchise", "Character", "Set", "Card Number", "Manufacturer"],
  },
];

const gradedCondition = { id: "2750", name: "LIKE_NEW" } as const;
const ungradedCondition = { id: "4000", name: "USED_VERY_GOOD" } as const;
const descriptorIds = {
  grader: "27501",
  grade: "27502",
  certificate: "27503",
  condition: "40001",
} as const;

const valuesOf = (values: Values): object[] =>
  values.map(([id, name]) => ({
    conditionDescriptorValueId: id,
    conditionDescriptorValueName: name,
  }));

const chosen = (id: string, name: string, usage: string, values: Values): object => ({
  conditionDescriptorId: id,
  conditionDescriptorName: name,
  conditionDescriptorConstraint: { cardinality: "SINGLE", mode: "SELECTION_ONLY", usage },
  conditionDescriptorValues: valuesOf(values),
});

/** As `get_item_condition_policies` describes a category of cards: graded or ungraded, and nothing else. */
export function conditionPolicyOf(category: CardCategory): object {
  return {
    categoryTreeId: "0",
    categoryId: category.id,
    itemConditionRequired: true,
    itemConditions: [
      {
        conditionId: gradedCondition.id,
        conditionDescription: "Graded",
        conditionDescriptors: [
          chosen(descriptorIds.grader, "Professional Grader", "REQUIRED", graders),
          chosen(descriptorIds.grade, "Grade", "REQUIRED", grades),
          {
            conditionDescriptorId: descriptorIds.certificate,
            conditionDescriptorName: "Certification Number",
            conditionDescriptorConstraint: {
              cardinality: "SINGLE",
              maxLength: 30,
              mode: "FREE_TEXT",
              usage: "OPTIONAL",
            },
          },
        ],
      },
      {
        conditionId: ungradedCondition.id,
        conditionDescription: "Ungraded",
        conditionDescriptors: [
          chosen(descriptorIds.condition, "Card Condition", "REQUIRED", category.conditions),
        ],
      },
    ],
  };
}

/** As `get_item_aspects_for_category` describes them. */
export function aspectsOf(category: CardCategory): object {
  const aspect = (name: string, isRequired: boolean): object => ({
    localizedAspectName: name,
    aspectConstraint: {
      aspectDataType: "STRING",
      aspectMode: "FREE_TEXT",
      aspectRequired: isRequired,
      aspectUsage: isRequired ? "RECOMMENDED" : "OPTIONAL",
      itemToAspectCardinality: "SINGLE",
    },
  });
  return {
    aspects: [
      ...category.requiredAspects.map((name) => aspect(name, true)),
      ...category.otherAspects.map((name) => aspect(name, false)),
    ],
  };
}

/** What is wrong with an item's condition in a category; null where it can be listed so. */
export function conditionProblem(
  category: CardCategory,
  condition: string | undefined,
  descriptors: readonly {
    name: string;
    values?: string[] | undefined;
    additionalInfo?: string | undefined;
  }[],
): string | null {
  const valueOf = (id: string): string | undefined =>
    descriptors.find(({ name }) => name === id)?.values?.[0];
  const knows = (values: Values, id: string | undefined): boolean =>
    values.some(([known]) => known === id);
  if (condition === gradedCondition.name) {
    if (!knows(graders, valueOf(descriptorIds.grader))) return "Professional Grader";
    if (!knows(grades, valueOf(descriptorIds.grade))) return "Grade";
    const certificate = descriptors.find(({ name }) => name === descriptorIds.certificate);
    return (certificate?.additionalInfo ?? "").length > 30 ? "Certification Number" : null;
  }
  if (condition !== ungradedCondition.name) return "Item condition";
  return knows(category.conditions, valueOf(descriptorIds.condition)) ? null : "Card Condition";
}
