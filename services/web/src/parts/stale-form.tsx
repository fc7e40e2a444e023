import "./stale-form.css";
import { Button, Group } from "@mantine/core";
import { useRef, useState } from "react";
import { problemOf } from "../app/problem.ts";

/** Somebody would have to save again and again at the same moments. */
const mostTries = 5;

/** A field that two have changed: what is typed here stands in the form. */
interface Clash<Values> {
  field: keyof Values & string;
  theirs: Values[keyof Values & string];
}

/** How a field is called, and how what stands in it is said. */
type FieldWords<Values> = {
  readonly [Field in keyof Values]: { label: string; say?: (value: Values[Field]) => string };
};

/**
 * A form whose thing somebody else may save meanwhile. What each has changed is put together; of what both
 * have changed both values are shown, and nothing is written before one is chosen.
 * @param first what was read when the form was opened
 * @param valuesOf a thing as the form has it
 */
export function useStaleForm<Thing, Values extends Record<string, unknown>>(
  form: { setValues: (values: Partial<Values>) => void },
  first: Thing,
  valuesOf: (thing: Thing) => Values,
) {
  const read = useRef(first);
  const [clashes, setClashes] = useState<readonly Clash<Values>[]>([]);
  const [hasAsked, setHasAsked] = useState(false);
  const settle = (field: string) =>
    setClashes((before) => before.filter((clash) => clash.field !== field));
  return {
    clashes,
    /** The question stands in the place of the error. */
    errorOf: (error: unknown) => (hasAsked ? null : error),
    keepMine: settle,
    keepTheirs({ field, theirs }: Clash<Values>) {
      form.setValues({ [field]: theirs } as Partial<Values>);
      settle(field);
    },
    /**
     * @param send answers 412 `precondition_failed` where the thing is not what was read
     * @param readAgain the thing as it is now
     * @throws what `send` and `readAgain` throw
     */
    async save<Answer>(
      typed: Values,
      send: (values: Values, read: Thing) => Promise<Answer>,
      readAgain: () => Promise<Thing>,
    ): Promise<Answer> {
      setHasAsked(false);
      let values = typed;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send(values, read.current);
        } catch (error) {
          if (problemOf(error).code !== "precondition_failed" || attempt === mostTries) throw error;
          const latest = await readAgain();
          const joined = join(valuesOf(read.current), values, valuesOf(latest));
          read.current = latest;
          values = joined.values;
          form.setValues(values);
          if (joined.clashes.length > 0) {
            setClashes(joined.clashes);
            setHasAsked(true);
            throw error;
          }
        }
      }
    },
  };
}

/** What of the two is another than it was; of what both have changed, mine with theirs beside it. */
function join<Values extends Record<string, unknown>>(base: Values, mine: Values, theirs: Values) {
  const values = { ...mine };
  const clashes: Clash<Values>[] = [];
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (isSame(base[field], theirs[field]) || isSame(mine[field], theirs[field])) continue;
    if (isSame(base[field], mine[field])) values[field] = theirs[field];
    else clashes.push({ field, theirs: theirs[field] });
  }
  return { values, clashes };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The members that are not what they were: only these are written. */
export function changedMembers<Fields extends object>(
  fields: Fields,
  before: Fields,
): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isSame(value, before[name as keyof Fields] ?? null),
    ),
  ) as Partial<Fields>;
}

/** Of what was read, the members that are about to be written. */
export function readOf<Thing extends object, Name extends keyof Thing>(
  read: Thing,
  written: { readonly [Member in Name]?: unknown },
): Pick<Thing, Name> {
  return Object.fromEntries(
    Object.keys(written).map((name) => [name, read[name as keyof Thing]]),
  ) as Pick<Thing, Name>;
}

/** Both values of each field that two have changed; one of them is chosen. */
export function StaleFields<Values extends Record<string, unknown>>(props: {
  stale: ReturnType<typeof useStaleForm<unknown, Values>>;
  values: Values;
  words: FieldWords<Values>;
}) {
  const { stale, values, words } = props;
  if (stale.clashes.length === 0) return null;
  return (
    <div role="alert" className="stale-fields">
      <strong>Somebody else has saved meanwhile. Choose what stays.</strong>
      {stale.clashes.map((clash) => {
        const { field, theirs } = clash;
        const { label } = words[field];
        return (
          <div key={field} className="stale-field">
            <span className="wrap">
              {label}. Yours: <strong>{wordsOf(words, field, values[field])}</strong>. Now:{" "}
              <strong>{wordsOf(words, field, theirs)}</strong>.
            </span>
            <Group gap={4}>
              <Button
                size="compact-xs"
                aria-label={`Write mine: ${label}`}
                onClick={() => stale.keepMine(field)}
              >
                Write mine
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Keep theirs: ${label}`}
                onClick={() => stale.keepTheirs(clash)}
              >
                Keep theirs
              </Button>
            </Group>
          </div>
        );
      })}
    </div>
  );
}

function wordsOf<Values, Field extends keyof Values>(
  words: FieldWords<Values>,
  field: Field,
  value: Values[Field],
): string {
  const { say } = words[field];
  return (say === undefined ? String(value) : say(value)) || "nothing";
}
