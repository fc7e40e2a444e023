import { eventJsonSchemas, eventSchemaPath, eventTypes } from "@cardvault/contract";
import { markdownTable } from "./markdown-table.ts";

/** The part of JSON Schema that the events use. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
}

interface Member {
  readonly path: string;
  readonly type: string;
  readonly words: string;
}

const schemas = eventJsonSchemas() as unknown as Record<(typeof eventTypes)[number], Schema>;

/** What a schema refers to, with what stands beside the reference. */
function resolved(schema: Schema, root: Schema): Schema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const name = $ref.replace("#/$defs/", "");
  return { ...root.$defs?.[name], ...beside };
}

/** A member and everything within it: `asking_price`, `asking_price.amount`, `attempts[].reason`. */
function membersOf(schema: Schema, root: Schema, path: string): Member[] {
  const whole = resolved(schema, root);
  const choices = (whole.anyOf ?? [whole]).map((one) => resolved(one, root));
  const isNullable = choices.some(({ type }) => type === "null");
  const own = choices.find(({ type }) => type !== "null") ?? whole;
  const described = whole.description ?? own.description ?? "";
  const member = {
    path,
    type: `${typeOf(own)}${isNullable ? " or null" : ""}`,
    words: [described, valuesOf(own)].filter((words) => words !== "").join(" "),
  };
  return [member, ...innerOf(own, root, path)];
}

function innerOf(schema: Schema, root: Schema, path: string): Member[] {
  const inner = schema.items === undefined ? schema : resolved(schema.items, root);
  const prefix = schema.items === undefined ? path : `${path}[]`;
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) =>
    membersOf(member, root, `${prefix}.${name}`),
  );
}

function typeOf({ type, format }: Schema): string {
  if (format === "date-time") return "time";
  if (format === "uri") return "address";
  return type ?? "";
}

function valuesOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum === undefined) return "";
  const values = schema.enum.map((value) => `\`${value}\``).join(", ");
  return schema.enum.length === 1 ? `So far always ${values}.` : `One of ${values}.`;
}

function tableOf(members: readonly Member[]): string {
  return markdownTable(
    ["Member", "Type", "Meaning"],
    members.map(({ path, type, words }) => [`\`${path}\``, type, words]),
  );
}

/** Every event with the members of its `data` and an example, from the schemas that make the events. */
export function eventReference(): string {
  return eventTypes
    .map((name) => {
      const schema = schemas[name];
      const members = Object.entries(schema.properties?.["data"]?.properties ?? {});
      return [
        `## ${name}`,
        `${schema.description ?? ""} [JSON Schema](${eventSchemaPath(name)}).`,
        tableOf(members.flatMap(([member, inner]) => membersOf(inner, schema, member))),
        `\`\`\`json example\n${JSON.stringify(schema.examples?.[0], null, 2)}\n\`\`\``,
      ].join("\n\n");
    })
    .join("\n\n");
}

/** The five members that every event has. */
export function envelopeTable(): string {
  const { properties = {}, ...root } = schemas["card.priced"];
  const words: Readonly<Record<string, string>> = {
    id: "Event identifier. The same one where the event is sent again.",
    event: "The event's name.",
    data: "What happened: see each event.",
  };
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const [own] = membersOf(schema, root, name);
    return own === undefined ? [] : [{ ...own, words: words[name] ?? own.words }];
  });
  return tableOf(members);
}

/** The names of the events, and when each is sent. */
export function eventNames(): string {
  return markdownTable(
    ["Event", "Sent when"],
    eventTypes.map((name) => [
      `[\`${name}\`](/docs/guides/events#${name.replace(".", "-")})`,
      schemas[name].description ?? "",
    ]),
  );
}
