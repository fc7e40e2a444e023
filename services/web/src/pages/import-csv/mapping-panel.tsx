import type { CardImport, ImportField, ImportMapping, ImportSettings } from "@cardvault/contract";
import { Button, Group, Select, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { fieldErrorsOf } from "../../app/problem.ts";
import { keepList } from "./keep-list.ts";
import { fieldGroups, fieldWords } from "./list-words.ts";
import { ReadingFields } from "./reading-fields.tsx";
import { SaveMapping } from "./save-mapping.tsx";

const shownSamples = 3;
const maxNameLength = 50;
const named: readonly ImportField[] = ["external_id", "tag_if"];
const fieldData = fieldGroups.map(({ group, fields }) => ({
  group,
  items: fields.map((value) => ({ value, label: fieldWords[value] })),
}));
const blank: ImportMapping = {
  columns: [],
  constants: {},
  decimal: ".",
  condition_scale: "general",
  compose_title: false,
  skip_out_of_stock: false,
};

/** What each column says of a card, and how rows are read; checking them changes nothing yet. */
export function MappingPanel({ list }: { list: CardImport }) {
  const [mapping, setMapping] = useState<ImportMapping>(list.mapping ?? blank);
  const [settings, setSettings] = useState<ImportSettings>(list.settings);
  const isKnown = list.mapping_from !== "guessed" || list.status === "checked";
  const [isShown, setIsShown] = useState(!isKnown);
  const isOther =
    JSON.stringify([mapping, settings]) !== JSON.stringify([list.mapping ?? blank, list.settings]);
  const check = useMutation({
    mutationFn: () => trpcClient.imports.preview.mutate({ id: list.id, mapping, settings }),
    onSuccess: keepList,
  });
  const isBusy = list.status === "checking";
  const said = mapping.columns.length;
  return (
    <section aria-labelledby="columns">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="columns">
          {`What its columns say: ${said} of ${list.headers.length} are used`}
        </Title>
        <Group gap="xs">
          <Button
            variant="subtle"
            aria-expanded={isShown}
            onClick={() => setIsShown((before) => !before)}
          >
            {isShown ? "Hide columns" : "Change columns"}
          </Button>
          {isBusy || (list.status === "checked" && !isOther) ? null : (
            <Button loading={check.isPending} disabled={said === 0} onClick={() => check.mutate()}>
              {list.status === "checked" ? "Check again" : "Check every row"}
            </Button>
          )}
        </Group>
      </Group>
      <ProblemNote error={check.error} />
      {Object.entries(fieldErrorsOf(check.error)).map(([path, message]) => (
        <p key={path} className="cell-sub" role="alert">
          {message}
        </p>
      ))}
      {isShown ? (
        <div className="panel">
          <ColumnTable list={list} mapping={mapping} onChange={setMapping} isBusy={isBusy} />
          <div className="fact-panel list-reading">
            <ReadingFields
              mapping={mapping}
              settings={settings}
              onMapping={setMapping}
              onSettings={setSettings}
            />
            <SaveMapping importId={list.id} mapping={mapping} fileName={list.file_name} />
          </div>
        </div>
      ) : null}
    </section>
  );
}

function ColumnTable(props: {
  list: CardImport;
  mapping: ImportMapping;
  isBusy: boolean;
  onChange: (mapping: ImportMapping) => void;
}) {
  const { list, mapping, isBusy, onChange } = props;
  const set = (column: number, field: ImportField | null, name?: string) => {
    const others = mapping.columns.filter((one) => one.column !== column);
    const own = field === null ? [] : [{ column, field, ...(name === undefined ? {} : { name }) }];
    onChange({
      ...mapping,
      columns: [...others, ...own].toSorted((left, right) => left.column - right.column),
    });
  };
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Its first values</th>
            <th scope="col">Says</th>
          </tr>
        </thead>
        <tbody>
          {list.headers.map((header, column) => {
            const own = mapping.columns.find((one) => one.column === column);
            const label = header === "" ? `Column ${column + 1}` : header;
            const samples = list.sample
              .map(({ cells }) => cells[column] ?? "")
              .filter((cell) => cell !== "")
              .slice(0, shownSamples);
            return (
              <tr key={column}>
                <th scope="row" className="narrow list-column">
                  {label}
                </th>
                <td className="fill">
                  <span className="clip cell-sub">{samples.join(" · ")}</span>
                </td>
                <td className="narrow">
                  <Group gap={4} wrap="nowrap">
                    <Select
                      size="xs"
                      w={220}
                      aria-label={`What ${label} says`}
                      placeholder="Not used"
                      searchable
                      clearable
                      clearButtonProps={{ "aria-label": `Do not use ${label}` }}
                      disabled={isBusy}
                      data={fieldData}
                      value={own?.field ?? null}
                      onChange={(value) => {
                        const field = value;
                        set(
                          column,
                          field,
                          field !== null && named.includes(field) ? label : undefined,
                        );
                      }}
                    />
                    {own !== undefined && named.includes(own.field) ? (
                      <TextInput
                        size="xs"
                        w={120}
                        aria-label={
                          own.field === "tag_if"
                            ? `The tag of ${label}`
                            : `The tool whose id ${label} is`
                        }
                        maxLength={maxNameLength}
                        value={own.name ?? ""}
                        onChange={(event) => set(column, own.field, event.currentTarget.value)}
                      />
                    ) : null}
                  </Group>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
