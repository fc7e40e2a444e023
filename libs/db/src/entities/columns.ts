import { toId, toUuid } from "@cardvault/kit";
import type { IdPrefix } from "@cardvault/kit";
import { Type, Uint8ArrayType } from "@mikro-orm/core";
import { defineEntity } from "@mikro-orm/postgresql";

const p = defineEntity.properties;

/** A TypeID outside of this room, a native uuid in the column. */
class IdType extends Type<string | null, string | null> {
  // Not a private name: MikroORM copies its types without their class's private members.
  private readonly idPrefix: IdPrefix;

  constructor(prefix: IdPrefix) {
    super();
    this.idPrefix = prefix;
  }

  override convertToDatabaseValue(value: string | null): string | null {
    // A key that the unit of work has read from the database comes back here as a uuid.
    if (value == null || !value.includes("_")) return value;
    return toUuid(value, this.idPrefix);
  }

  override convertToJSValue(value: string | null): string | null {
    return value == null || value.includes("_") ? value : toId(this.idPrefix, value);
  }

  override getColumnType(): string {
    return "uuid";
  }

  override compareAsType(): string {
    return "string";
  }
}

/** A `real`: MikroORM's own float is written in another form than PostgreSQL shows. */
export const real = () => p.float().columnType("real");
export const text = () => p.text();
export const integer = () => p.integer();
export const flag = () => p.boolean();
/** Milliseconds: what JavaScript can hold. */
export const time = () => p.datetime(3).columnType("timestamptz(3)");
/** Minor units, or a count. */
export const bigint = () => p.bigint("number");
export const bytes = () => p.type(Uint8ArrayType).columnType("bytea");
export const json = <Value>() => p.json<Value>();
export const textArray = () => p.array().columnType("text[]");
export const currencyCode = () => p.character().length(3);

export const id = (prefix: IdPrefix) => p.type(new IdType(prefix)).$type<string>();
/** A uuid that never leaves as an id of ours. */
export const uuid = () => p.uuid();

type OnDelete = "cascade" | "no action";

/** A foreign key whose value is the other row's id. Rows are never loaded through it. */
export const reference = (target: object, column: string, onDelete: OnDelete = "no action") =>
  p
    .manyToOne(target as never)
    .mapToPk()
    .joinColumn(column)
    .deleteRule(onDelete)
    .updateRule("no action")
    .$type<string>();

/** The same, where there may be none. */
export const optionalReference = (target: object, column: string, onDelete?: OnDelete) =>
  reference(target, column, onDelete).nullable();

/** Named, so that two entities that refer to each other have types. */
export type OptionalReference = ReturnType<typeof optionalReference>;
