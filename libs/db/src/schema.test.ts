import { createTestDatabase } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { schemaDifference } from "./connection/orm.ts";

test("the entities say exactly what the migrations made", async () => {
  const testDatabase = await createTestDatabase();
  expect(await schemaDifference(testDatabase.url)).toBe("");
  await testDatabase.drop();
});
