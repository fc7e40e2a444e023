import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { errorOf } from "./errors.ts";
import { receiveImport } from "./imports/receive-import.ts";
import { appRouter } from "./router.ts";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

/**
 * Every procedure is sent what its schema describes, with each member replaced by what no page sends.
 * Whatever comes of it is an answer or an error that says what is wrong: no failure of ours, and no word of
 * the inside.
 */
let house: House;
let dealer: Dealer;
/** An id for each first part of a procedure's name: what such procedures are about. */
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  const { asOwner, access } = dealer;
  const batch = await asOwner.batches.create({ name: "Estate" });
  const card = await asOwner.cards.create({ title: "Serpent", batch_id: batch.id });
  const view = await asOwner.views.create({ name: "Mine" });
  const bytes = (async function* list() {
    yield Buffer.from("Title,Quantity\nSerpent,1\n");
  })();
  const { id } = await receiveImport(house.services, access, { name: "list.csv", bytes });
  const job = await asOwner.bulk.start({
    selection: { ids: [card.id] },
    action: { type: "move", location: "A" },
  });
  ids = {
    cards: card.id,
    identifications: card.id,
    review: card.id,
    prices: card.id,
    batches: batch.id,
    views: view.id,
    imports: id,
    jobs: job.id,
    bulk: job.id,
  };
});
afterAll(() => house.close());

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  $ref?: string;
  $defs?: Record<string, Schema>;
}
interface Procedure {
  _def: { inputs: z.ZodType[]; type: string };
}
type Path = readonly (string | number)[];

const hostile: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "日本 🐉\u202E",
  "';--%_\\*",
  "__proto__",
  "+05:30",
  "AAAA",
  "0",
  "card_7zzzzzzzzzzzzzzzzzzzzzzzzz",
  "batch_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "job_00000000000000000000000000",
  "00000000-0000-0000-0000-000000000000",
  "9999-12-31T23:59:59.999Z",
  "0000-01-01T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "x".repeat(100_000),
  [],
  [null],
  [[]],
  Array.from({ length: 6_000 }, () => "card_00000000000000000000000000"),
  {},
  { amount: -1, currency: "USD" },
  { amount: 1, currency: "XXX" },
  { amount: 2 ** 53, currency: "USD" },
  { ids: [] },
  { filter: { search: "\u0000" } },
];

const wordsOfTheInside =
  /\bselect |insert |update "|relation|constraint|syntax|postgres|mikro|null value|undefined|not a function|cannot read|zod|\.ts\b|invalid byte/i;

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, Procedure>,
).filter(([, { _def }]) => _def.type !== "subscription" && _def.inputs.length > 0);

test.each(procedures)("%s", async (path, { _def }) => {
  const [input = z.never()] = _def.inputs;
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
  const fits = exampleOf(schema, { path, definitions: schema.$defs ?? {} });
  const asked = [undefined, ...hostile, fits];
  for (const place of placesIn(fits)) {
    for (const value of hostile) asked.push(replaced(fits, place, value));
  }
  const wrong: string[] = [];
  for (const one of asked) {
    const error = await call(path, one).then(
      () => null,
      (thrown: unknown) => errorOf(thrown),
    );
    if (error === null) continue;
    const said = [error.message, ...(error.details ?? []).map(({ message }) => message)].join(" ");
    // 503 is what a procedure says where no provider is configured, as here.
    const isOurs = error.status >= 500 && error.code !== "service_unavailable";
    if (isOurs || wordsOfTheInside.test(said)) {
      wrong.push(`${JSON.stringify(one).slice(0, 300)}: ${error.code} ${said}`.slice(0, 600));
    }
  }
  expect(wrong).toEqual([]);
});

function call(path: string, input: unknown): Promise<unknown> {
  let target: unknown = dealer.asOwner;
  for (const name of path.split(".")) target = (target as Record<string, unknown>)[name];
  return (target as (input: unknown) => Promise<unknown>)(input);
}

interface Surroundings {
  path: string;
  definitions: Readonly<Record<string, Schema>>;
}

/** Something that fits the schema as far as that can be told from it, with every optional member. */
function exampleOf(schema: Schema | undefined, around: Surroundings): unknown {
  if (schema === undefined) return "x";
  if (schema.$ref !== undefined) {
    return exampleOf(around.definitions[schema.$ref.split("/").at(-1) ?? ""], around);
  }
  const [first] = schema.enum ?? schema.anyOf ?? schema.oneOf ?? [];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return first;
  if (first !== undefined) return exampleOf(first as Schema, around);
  if (schema.type === "object") {
    const members = Object.entries(schema.properties ?? {});
    return Object.fromEntries(
      members.map(([name, member]) => [name, idFor(name, around) ?? exampleOf(member, around)]),
    );
  }
  if (schema.type === "array") return [exampleOf(schema.items, around)];
  if (schema.type === "integer" || schema.type === "number") {
    return Math.max(1, schema.minimum ?? 1);
  }
  if (schema.type === "boolean") return true;
  if (schema.format === "date-time") return "2026-01-01T00:00:00Z";
  if (schema.format === "uuid") return "019b0000-0000-7000-8000-000000000001";
  return schema.examples?.[0] ?? "x";
}

function idFor(name: string, { path }: Surroundings): string | undefined {
  if (name === "batch_id") return ids["batches"];
  if (name === "card_id") return ids["cards"];
  if (name === "import_id") return ids["imports"];
  return name === "id" ? ids[path.split(".")[0] ?? ""] : undefined;
}

/** Every place within a value whose content can be replaced. */
function placesIn(value: unknown, at: Path = []): Path[] {
  const here = at.length === 0 ? [] : [at];
  if (typeof value !== "object" || value === null) return here;
  const within = Object.entries(value).map(([name, member]) => placesIn(member, [...at, name]));
  return [...here, ...within.flat()];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((member: unknown, index) =>
      String(index) === String(first) ? replaced(member, rest, by) : member,
    );
  }
  const members = value as Record<string, unknown>;
  return { ...members, [first]: replaced(members[first], rest, by) };
}
