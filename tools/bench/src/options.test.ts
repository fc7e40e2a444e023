import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";

describe("the command line", () => {
  it("names a scenario; what is left out is the scenario's to say", () => {
    expect(readOptions(["ledger"])).toEqual({
      name: "ledger",
      options: { store: "postgres", profile: false },
    });
  });

  it("takes numbers and the store", () => {
    const args = ["ledger", "--store", "mongodb", "--events", "300", "--kills", "4"];
    expect(readOptions(args).options).toEqual({
      store: "mongodb",
      profile: false,
      events: 300,
      kills: 4,
    });
  });

  it.each([
    ["--seconds", "0"],
    ["--seconds", "1.5"],
    ["--kills", "many"],
    ["--due", "200001"],
    ["--store", "redis"],
  ])("%s %s is refused", (option, value) => {
    expect(() => readOptions(["ledger", option, value])).toThrow(TypeError);
  });
});
