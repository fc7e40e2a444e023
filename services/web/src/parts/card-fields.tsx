import "./card-fields.css";
import { conditions } from "@cardvault/contract";
import type { CardPatch } from "@cardvault/contract";
import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { cardFields, fieldText, readField } from "./card-fields-model.ts";
import type { CardFieldName, CardValues } from "./card-fields-model.ts";
import { conditionWords } from "./words.ts";

/** What stands in the fields of a form, as it was typed. */
export type CardTexts = Partial<Record<CardFieldName, string>>;

export function textsOf(values: CardValues, names: readonly CardFieldName[]): CardTexts {
  return Object.fromEntries(names.map((name) => [name, fieldText(name, values[name])]));
}

/**
 * The texts that differ from those before, as a PATCH; and what is wrong with them, by field.
 * @param currency the account's
 */
export function readTexts(
  texts: CardTexts,
  before: CardTexts,
  currency: string,
): { patch: CardPatch; problems: Record<string, string> } {
  const patch: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [key, text = ""] of Object.entries(texts)) {
    const name = key as CardFieldName;
    if (text === (before[name] ?? "")) continue;
    const read = readField(name, text, currency);
    if (read.problem === undefined) patch[name] = read.value;
    else problems[name] = read.problem;
  }
  return { patch, problems };
}

/** A card's fields to fill in. Whoever shows it keeps the texts, so that nothing typed is lost. */
export function CardFields(props: {
  names: readonly CardFieldName[];
  texts: CardTexts;
  problems: Readonly<Record<string, string>>;
  currency: string;
  onChange: (texts: CardTexts) => void;
  /** Where the keyboard begins. */
  focus?: CardFieldName;
}) {
  const flags = props.names.filter((name) => cardFields[name].kind.type === "flag");
  const others = props.names.filter((name) => cardFields[name].kind.type !== "flag");
  const give = (name: CardFieldName, text: string) =>
    props.onChange({ ...props.texts, [name]: text });
  return (
    <div className="card-fields">
      {others.map((name) => (
        <OneField
          key={name}
          name={name}
          text={props.texts[name] ?? ""}
          problem={props.problems[name]}
          currency={props.currency}
          isFirst={props.focus === name}
          onChange={(text) => give(name, text)}
        />
      ))}
      {flags.length === 0 ? null : (
        <div className="card-flags" data-wide>
          {flags.map((name) => (
            <Checkbox
              key={name}
              label={cardFields[name].label}
              checked={(props.texts[name] ?? "") !== ""}
              onChange={(event) => give(name, event.currentTarget.checked ? "Yes" : "")}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const wide = { "data-wide": true };

function OneField(props: {
  name: CardFieldName;
  text: string;
  problem: string | undefined;
  currency: string;
  isFirst: boolean;
  onChange: (text: string) => void;
}) {
  const { name, text, problem, currency, onChange } = props;
  const { label, kind } = cardFields[name];
  const common = {
    size: "xs",
    error: problem,
    value: text,
    ...(props.isFirst ? { "data-autofocus": true, autoFocus: true } : {}),
  } as const;
  if (kind.type === "condition") {
    return (
      <NativeSelect
        {...common}
        label={label}
        data={[
          { value: "", label: "Not known" },
          ...conditions.map((one) => ({
            value: conditionWords[one] ?? one,
            label: conditionWords[one] ?? one,
          })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind.type === "text" && kind.isLong === true) {
    return (
      <Textarea
        {...common}
        wrapperProps={wide}
        label={label}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      {...(name === "title" || kind.type === "tags" ? { wrapperProps: wide } : {})}
      label={kind.type === "money" ? `${label} (${currency})` : label}
      placeholder={placeholderOf(kind.type)}
      inputMode={kind.type === "money" ? "decimal" : kind.type === "whole" ? "numeric" : "text"}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function placeholderOf(type: string): string {
  if (type === "grading") return "PSA 9 #48213377";
  return type === "tags" ? "binder, show" : "";
}
