import { ConfigError } from "@cardvault/kit";
import type { VersionOneEnd } from "@cardvault/rest";

const names = ["V1_DEPRECATED_AT", "V1_SUNSET_AT", "V2_URL"] as const;

/**
 * When version 1 ends: nothing is said about it until all three variables are set.
 * @throws ConfigError where only some of them are, or one is not what it must be.
 */
export function readVersionOneEnd(
  env: Readonly<Record<string, string | undefined>>,
): VersionOneEnd | undefined {
  const [deprecated, sunset, successorUrl] = names.map((name) => env[name]?.trim() ?? "");
  const given = [deprecated, sunset, successorUrl].filter((value) => value !== "");
  if (given.length === 0) return undefined;
  const problems: string[] = [];
  if (given.length < names.length) problems.push(`${names.join(", ")} must be set together.`);
  const deprecatedAt = new Date(deprecated ?? "");
  const sunsetAt = new Date(sunset ?? "");
  if (Number.isNaN(deprecatedAt.getTime())) problems.push("V1_DEPRECATED_AT must be a time.");
  if (Number.isNaN(sunsetAt.getTime())) problems.push("V1_SUNSET_AT must be a time.");
  if (!URL.canParse(successorUrl ?? "")) problems.push("V2_URL must be an address.");
  if (problems.length > 0) throw new ConfigError(problems);
  return { deprecatedAt, sunsetAt, successorUrl: successorUrl ?? "" };
}
