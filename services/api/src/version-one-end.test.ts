import { ConfigError } from "@cardvault/kit";
import { expect, test } from "vitest";
import { readVersionOneEnd } from "./version-one-end.ts";

const whole = {
  V1_DEPRECATED_AT: "2027-01-01T00:00:00Z",
  V1_SUNSET_AT: "2028-01-01T00:00:00Z",
  V2_URL: "https://vault.example.com/v2",
};

test("nothing is said until it is configured", () => {
  expect(readVersionOneEnd({})).toBeUndefined();
  expect(readVersionOneEnd({ V2_URL: " " })).toBeUndefined();
  expect(readVersionOneEnd(whole)).toEqual({
    deprecatedAt: new Date("2027-01-01T00:00:00Z"),
    sunsetAt: new Date("2028-01-01T00:00:00Z"),
    successorUrl: "https://vault.example.com/v2",
  });
});

test.each([
  { ...whole, V2_URL: "" },
  { ...whole, V2_URL: "v2" },
  { ...whole, V1_SUNSET_AT: "soon" },
  { V1_DEPRECATED_AT: whole.V1_DEPRECATED_AT },
])("half a configuration is refused: %j", (env) => {
  expect(() => readVersionOneEnd(env)).toThrow(ConfigError);
});
