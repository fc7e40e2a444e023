import "./listing-texts.css";
import type { TemplateOwnerInput, TemplatesAnswer } from "@cardvault/contract";
import { Button, Group, Skeleton, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import type { Pictured } from "../card-picture.tsx";
import { ProblemNote, ProblemPanel } from "../problem-panel.tsx";
import { insertPlaceholder, PlaceholderBar } from "./placeholder-bar.tsx";
import { TextsPreview, useTriedCards } from "./texts-preview.tsx";

const previewWaitMs = 250;
/** The documented maxima of a template, in characters. */
const maxima = { title: 300, description: 4_000 } as const;

/** Templates of an owner. Null: what is above it holds. */
type OwnTexts = TemplatesAnswer["own"];
type TextName = keyof OwnTexts;

interface FormProps {
  of: TemplateOwnerInput;
  /** Whose hold where this one says nothing: `the account's`. */
  above: string;
  /** The one card that they are tried on; else those of the batch or the account, the latest first. */
  card?: Pictured & { id: string };
  isReadOnly?: boolean;
  isPending: boolean;
  error: unknown;
  /** Is given what is to hold from now on, both as they are to be. */
  onSave: (texts: OwnTexts) => void;
  /** Beside the form's own buttons. */
  children?: ReactNode;
}

/** How listings are titled and described: both templates, their placeholders, and what they make of a card. */
export function TextsForm(props: FormProps) {
  const templates = useQuery(trpc.listings.templates.get.queryOptions(props.of));
  if (templates.data !== undefined) return <Fields {...props} templates={templates.data} />;
  return templates.isPending ? (
    <Skeleton height={320} aria-busy="true" />
  ) : (
    <ProblemPanel
      error={templates.error}
      what="The templates"
      onRetry={() => void templates.refetch()}
    />
  );
}

/** What is typed, as it would be saved: nothing of its own where it is empty or what holds anyway. */
function ownFrom(name: TextName, typed: string, { inherited }: TemplatesAnswer): string | null {
  const text = name === "title" ? typed.trim() : typed.trimEnd();
  return text === "" || text === inherited[name] ? null : text;
}

function Fields(props: FormProps & { templates: TemplatesAnswer }) {
  const { templates, above, isReadOnly = false, error, onSave } = props;
  const { own, inherited, placeholders, effective } = templates;
  const [typed, setTyped] = useState(effective);
  const [into, setInto] = useState<TextName>("title");
  const title = useRef<HTMLInputElement>(null);
  const description = useRef<HTMLTextAreaElement>(null);
  const tried = useTriedCards(props.of.batch_id, props.card);
  const texts: OwnTexts = {
    title: ownFrom("title", typed.title, templates),
    description: ownFrom("description", typed.description, templates),
  };
  const shown = {
    title: texts.title ?? inherited.title,
    description: texts.description ?? inherited.description,
  };
  const [asked] = useDebouncedValue(JSON.stringify(shown), previewWaitMs);
  const preview = useQuery({
    queryKey: [...trpc.listings.previewTemplate.mutationKey(), tried.card?.id, asked],
    // A mutation that writes nothing, because templates may be longer than an address.
    queryFn: () =>
      trpcClient.listings.previewTemplate.mutate({
        ...(tried.card === undefined ? {} : { card_id: tried.card.id }),
        ...(JSON.parse(asked) as typeof shown),
      }),
    enabled: !tried.isPending,
    placeholderData: keepPreviousData,
  });
  const isChanged = texts.title !== own.title || texts.description !== own.description;
  const refused = fieldErrorsOf(error);
  const problemOf = (name: TextName): string | undefined =>
    preview.data?.problems.find(({ path }) => path === name)?.message ??
    refused[name] ??
    refused[`${name}_template`];
  const write = (name: TextName, text: string): void =>
    setTyped((before) => ({ ...before, [name]: text }));
  const inheritedOf = (name: TextName): ReactNode => (
    <span className="texts-inherited cell-sub">
      {texts[name] === null ? (
        `As ${above} template says.`
      ) : isReadOnly ? null : (
        <Button size="compact-xs" variant="default" onClick={() => write(name, inherited[name])}>
          {`Use ${above} ${name}`}
        </Button>
      )}
    </span>
  );
  const fieldOf = (name: TextName) => ({
    maxLength: maxima[name],
    spellCheck: false,
    readOnly: isReadOnly,
    classNames: { input: "mono" },
    value: typed[name],
    error: problemOf(name),
    errorProps: { role: "alert" },
    onFocus: () => setInto(name),
  });
  return (
    <form
      className="texts-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSave(texts);
      }}
    >
      <div>
        <TextInput
          ref={title}
          label="Title template"
          {...fieldOf("title")}
          onChange={(event) => write("title", event.currentTarget.value)}
        />
        {inheritedOf("title")}
      </div>
      {/* Between both: one step of Tab from either, and it goes into the one that it was reached from. */}
      {isReadOnly ? null : (
        <PlaceholderBar
          names={placeholders}
          into={into}
          onChoose={(name) =>
            insertPlaceholder(
              into === "title" ? title.current : description.current,
              name,
              (text) => write(into, text),
            )
          }
        />
      )}
      <div>
        <Textarea
          ref={description}
          label="Description template"
          autosize
          minRows={4}
          maxRows={12}
          {...fieldOf("description")}
          onChange={(event) => write("description", event.currentTarget.value)}
        />
        {inheritedOf("description")}
      </div>
      <p className="cell-sub" style={{ margin: 0 }}>
        What is not known of a card is left out, with what is stuck to it; a line of the description
        that says nothing, too. A title that is too long loses its least important parts.
      </p>
      <TextsPreview
        card={tried.card}
        made={tried.isPending ? undefined : preview.data}
        error={preview.error}
        onRetry={() => void preview.refetch()}
        onNext={tried.next}
      />
      <ProblemNote error={error} />
      {isReadOnly ? null : (
        <Group justify="flex-end" gap="xs">
          {props.children}
          <Button type="submit" disabled={!isChanged} loading={props.isPending}>
            Save texts
          </Button>
        </Group>
      )}
    </form>
  );
}
