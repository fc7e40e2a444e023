import { conditions } from "@cardvault/contract";
import type { Condition, Grading } from "@cardvault/contract";
import * as z from "zod";
import { cleanText, loose, looseList } from "../../fields.ts";
import type { CategoryRules } from "../port.ts";
import { problemOf } from "../problems.ts";
import type { MarketplaceProblemCode } from "../problems.ts";
import { EbayRefusal } from "./refusal.ts";

/** Conditions of cards by their ids in the policies, and by their names in an inventory item. */
const graded = { id: "2750", name: "LIKE_NEW" } as const;
const ungraded = { id: "4000", name: "USED_VERY_GOOD" } as const;
const descriptors = {
  grader: "27501",
  grade: "27502",
  certificate: "27503",
  condition: "40001",
} as const;
const maxCertificate = 30;

const descriptorValue = z.object({
  conditionDescriptorValueId: z.string(),
  conditionDescriptorValueName: z.string(),
});
const itemCondition = z.object({
  conditionId: z.string(),
  conditionDescriptors: looseList(
    z.object({
      conditionDescriptorId: z.string(),
      conditionDescriptorValues: looseList(descriptorValue, 200),
    }),
  ),
});
export const conditionPoliciesAnswer = z.object({
  itemConditionPolicies: looseList(
    z.object({ categoryId: z.string(), itemConditions: looseList(itemCondition) }),
    200,
  ),
});

export const aspectsAnswer = z.object({
  aspects: looseList(
    z.object({
      localizedAspectName: z.string(),
      aspectConstraint: z
        .object({ aspectRequired: z.boolean().nullish().catch(null) })
        .nullish()
        .catch(null),
    }),
    500,
  ),
});

export const treeAnswer = z.object({ categoryTreeId: loose });

/** A value that can be chosen, by the number that eBay gave it. */
interface Value {
  readonly id: string;
  readonly name: string;
}

/** What can be said of a card's condition in a category. */
export interface ConditionValues {
  readonly graders: readonly Value[];
  readonly grades: readonly Value[];
  readonly conditions: readonly Value[];
}

/** @throws EbayRefusal where the category is none that cards are listed in. */
export function conditionValuesOf(
  answer: z.output<typeof conditionPoliciesAnswer> | undefined,
  categoryId: string,
): ConditionValues {
  const policy = answer?.itemConditionPolicies.find((one) => one.categoryId === categoryId);
  if (policy === undefined) throw refused("category_invalid");
  const valuesOf = (condition: string, descriptor: string): Value[] =>
    policy.itemConditions
      .find((one) => one.conditionId === condition)
      ?.conditionDescriptors.find((one) => one.conditionDescriptorId === descriptor)
      ?.conditionDescriptorValues.map((one) => ({
        id: one.conditionDescriptorValueId,
        name: one.conditionDescriptorValueName,
      })) ?? [];
  return {
    graders: valuesOf(graded.id, descriptors.grader),
    grades: valuesOf(graded.id, descriptors.grade),
    conditions: valuesOf(ungraded.id, descriptors.condition),
  };
}

/** The category in our own terms. */
export function categoryRulesOf(
  values: ConditionValues,
  answer: z.output<typeof aspectsAnswer> | undefined,
): CategoryRules {
  return {
    requiredAspects: (answer?.aspects ?? [])
      .filter(({ aspectConstraint }) => aspectConstraint?.aspectRequired === true)
      .flatMap(({ localizedAspectName }) => cleanText(localizedAspectName, 65) ?? []),
    graders: values.graders.flatMap(({ name }) => cleanText(shortName(name), 20) ?? []),
    conditions: conditions.filter((condition) => valueOfCondition(values, condition) !== null),
  };
}

interface ItemCondition {
  readonly condition: string;
  readonly conditionDescriptors: readonly {
    readonly name: string;
    readonly values?: readonly string[];
    readonly additionalInfo?: string;
  }[];
}

/**
 * A card's condition as an inventory item says it: graded with grader, grade and certificate, or ungraded.
 * @throws EbayRefusal that names what the category does not know.
 */
export function itemConditionOf(
  values: ConditionValues,
  condition: Condition | null,
  grading: Grading | null,
): ItemCondition {
  if (grading !== null) return gradedItem(values, grading);
  if (condition === null) throw refused("condition_missing");
  const value = valueOfCondition(values, condition);
  if (value === null) throw refused("condition_invalid");
  return {
    condition: ungraded.name,
    conditionDescriptors: [{ name: descriptors.condition, values: [value.id] }],
  };
}

function gradedItem(
  values: ConditionValues,
  { grader, grade, cert_number }: Grading,
): ItemCondition {
  const graderValue =
    values.graders.find(({ name }) => isSame(name, grader) || isSame(shortName(name), grader)) ??
    values.graders.find(({ name }) => isSame(name, "Other"));
  if (graderValue === undefined) throw refused("grader_unknown");
  const gradeValue = values.grades.find(({ name }) => isSame(plainGrade(name), plainGrade(grade)));
  if (gradeValue === undefined) throw refused("grade_unknown");
  if ((cert_number ?? "").length > maxCertificate) throw refused("certificate_invalid");
  return {
    condition: graded.name,
    conditionDescriptors: [
      { name: descriptors.grader, values: [graderValue.id] },
      { name: descriptors.grade, values: [gradeValue.id] },
      ...(cert_number === null
        ? []
        : [{ name: descriptors.certificate, additionalInfo: cert_number }]),
    ],
  };
}

/**
 * Names differ by category: a game's cards are lightly played, a sport's excellent. The first form that a
 * category has counts; damaged has no value of its own, and is what poor is.
 */
const conditionNames: Readonly<Record<Condition, readonly RegExp[]>> = {
  near_mint: [/^near mint/i],
  lightly_played: [/^lightly played/i, /^excellent/i],
  moderately_played: [/^moderately played/i, /^very good/i],
  heavily_played: [/^heavily played/i, /^poor/i],
  damaged: [/^damaged/i, /^poor/i, /^heavily played/i],
};

function valueOfCondition(values: ConditionValues, condition: Condition): Value | null {
  for (const form of conditionNames[condition]) {
    const found = values.conditions.find(({ name }) => form.test(name));
    if (found !== undefined) return found;
  }
  return null;
}

/** `PSA` of `Professional Sports Authenticator (PSA)`. */
function shortName(name: string): string {
  return /\(([^()]+)\)\s*$/.exec(name)?.[1] ?? name;
}

/** `10` of `10.0`, `9.5` of `9.5`. */
function plainGrade(grade: string): string {
  return grade.trim().replace(/\.0$/, "");
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function refused(code: MarketplaceProblemCode): EbayRefusal {
  return new EbayRefusal("refused", [problemOf(code)]);
}
