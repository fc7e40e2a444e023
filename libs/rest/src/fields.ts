import type { z } from "zod";

/** How the values of one query parameter are read. */
export interface QueryField {
  kind: "text" | "number" | "boolean";
  /** Whether the parameter can be repeated. */
  isList: boolean;
}

/** What the walk needs to know of a zod definition. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  in?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  values?: readonly unknown[];
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def;
}

/** The schema behind what only says when a value may be missing, and behind the input of a pipe. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType, in: input, getter } = definitionOf(schema);
  if (type === "pipe" && input !== undefined) return unwrapped(input);
  if (type === "lazy" && getter !== undefined) return unwrapped(getter());
  return innerType === undefined ? schema : unwrapped(innerType);
}

/** The members that an input takes, by name. An input that is no object takes none. */
export function inputShape(inputs: readonly z.core.$ZodType[]): Record<string, z.core.$ZodType> {
  return Object.assign(
    {},
    ...inputs.map((input) => definitionOf(unwrapped(input)).shape ?? {}),
  ) as Record<string, z.core.$ZodType>;
}

function kindOf(schema: z.core.$ZodType): QueryField["kind"] {
  const { type, values } = definitionOf(schema);
  if (type === "number" || type === "int") return "number";
  if (type === "boolean") return "boolean";
  if (type === "literal" && values?.every((value) => typeof value === "number")) return "number";
  return "text";
}

/** How a query parameter with this schema is read. The schema itself is never changed or coerced. */
export function queryFieldOf(schema: z.core.$ZodType): QueryField {
  const inner = unwrapped(schema);
  const { element } = definitionOf(inner);
  return element === undefined
    ? { kind: kindOf(inner), isList: false }
    : { kind: kindOf(unwrapped(element)), isList: true };
}
