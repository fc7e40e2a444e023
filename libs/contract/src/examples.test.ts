import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as contract from "./index.ts";

const schemas = Object.entries(contract).flatMap(([name, value]): [string, z.ZodType][] =>
  value instanceof z.ZodType ? [[name, value]] : [],
);

describe("every schema of the contract", () => {
  it.each(schemas)("%s can be written as JSON Schema, as input and as output", (_, schema) => {
    expect(z.toJSONSchema(schema, { io: "input" })).toHaveProperty("$schema");
    expect(z.toJSONSchema(schema, { io: "output" })).toHaveProperty("$schema");
  });

  const objects = schemas.flatMap(([name, schema]) =>
    schema instanceof z.ZodObject ? [[name, schema] as const] : [],
  );
  it("is an object in more than sixty cases", () => {
    expect(objects.length).toBeGreaterThan(60);
  });

  it.each(objects)("%s refuses an unknown member and names it", (_, schema) => {
    const result = schema.safeParse({ no_such_member: 1 });
    expect(result.success).toBe(false);
    if (result.error === undefined) return;
    expect(contract.validationDetails(result.error)).toContainEqual({
      path: "no_such_member",
      message: "Unknown member",
    });
  });

  it.each(objects)("%s refuses what is no object", (_, schema) => {
    for (const value of [null, [], "", 0, true]) {
      expect(schema.safeParse(value).success).toBe(false);
    }
  });

  const named = schemas.filter(([, schema]) => schema.meta()?.id !== undefined);
  it("has one schema for each component name", () => {
    const ids = named.map(([, schema]) => schema.meta()?.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("Card");
  });

  const examples = schemas.flatMap(([name, schema]) => {
    const given = schema.meta()?.["examples"];
    return Array.isArray(given)
      ? given.map((example: unknown) => [name, schema, example] as const)
      : [];
  });
  it.each(examples)("%s accepts its own example", (_, schema, example) => {
    expect(schema.safeParse(example)).toMatchObject({ success: true });
  });
});
