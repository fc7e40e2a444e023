import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { describeWithMongo, mongoUrlForTest } from "./mongo.ts";

describeWithMongo("the run's MongoDB", () => {
  test("gives every caller a database of its own on one server", async () => {
    const [first, second] = await Promise.all([mongoUrlForTest(), mongoUrlForTest()]);
    expect(new URL(first).host).toBe(new URL(second).host);
    const one = await new MongoClient(first).connect();
    const other = await new MongoClient(second).connect();
    await one.db().collection("x").insertOne({ a: 1 });
    expect(await other.db().collection("x").countDocuments()).toBe(0);
    expect(await one.db().collection("x").countDocuments()).toBe(1);
    await Promise.all([one.close(), other.close()]);
  });
});
