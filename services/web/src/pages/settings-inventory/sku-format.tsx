import { Button, Code, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { followJob } from "../../app/jobs.ts";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";
import { counted } from "../../parts/words.ts";

const previewWaitMs = 250;
const parts = [
  ["{n:5}", "the card's number, in five digits"],
  ["{batch}", "the batch's code"],
  ["{game}", "the game"],
  ["{set_code}", "the set's code"],
  ["{year}", "the year"],
] as const;

/** The format of new SKUs, tried on the latest cards while it is typed; and SKUs for cards without one. */
export function SkuFormat({ saved, isOwner }: { saved: string; isOwner: boolean }) {
  const [format, setFormat] = useState(saved);
  const [tried] = useDebouncedValue(format.trim(), previewWaitMs);
  const preview = useQuery(
    trpc.skus.preview.queryOptions(
      { sku_format: tried === "" ? saved : tried },
      { placeholderData: keepPreviousData, retry: false },
    ),
  );
  const save = useMutation(
    trpc.accounts.settings.update.mutationOptions({
      onSuccess(after) {
        queryClient.setQueryData(trpc.accounts.settings.get.queryKey(), after);
        notifications.show({ message: `New cards get SKUs like ${after.sku_format}.` });
      },
    }),
  );
  const refused = preview.isError
    ? (problemOf(preview.error).details[0]?.message ?? problemOf(preview.error).message)
    : undefined;
  const isChanged = format.trim() !== saved;
  return (
    <Section
      id="skus"
      title="SKU format"
      lead="Every new card gets a SKU by it. What is there already stays: labels are printed and listings are live."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ sku_format: format.trim() });
        }}
      >
        <div className="form-row">
          <TextInput
            label="Format"
            w={280}
            maxLength={40}
            spellCheck={false}
            readOnly={!isOwner}
            classNames={{ input: "mono" }}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
            error={refused}
            errorProps={{ role: "alert" }}
          />
          {isOwner ? (
            <Button
              type="submit"
              variant="default"
              disabled={!isChanged || refused !== undefined || tried !== format.trim()}
              loading={save.isPending}
            >
              Save format
            </Button>
          ) : null}
          <ProblemNote error={save.error} />
        </div>
      </form>
      <p className="cell-sub sku-parts">
        {parts.map(([part, words]) => (
          <span key={part}>
            <Code>{part}</Code> {words}
          </span>
        ))}
      </p>
      <Preview examples={refused === undefined ? preview.data?.examples : undefined} />
      {preview.data === undefined ? null : (
        <Stack gap={4} mt="sm">
          {preview.data.taken > 0 ? (
            <span className="cell-sub">
              {counted(preview.data.taken, "of these is", "of these are")} taken already: such a
              number is passed over.
            </span>
          ) : null}
          <Assign count={preview.data.cards_without_sku} isChanged={isChanged} />
        </Stack>
      )}
    </Section>
  );
}

function Preview({
  examples,
}: {
  examples: readonly { sku: string; title: string | null }[] | undefined;
}) {
  if (examples === undefined) return null;
  return (
    <div className="table-scroll sku-preview">
      <table className="rows" aria-label="What the format gives">
        <thead>
          <tr>
            <th scope="col">SKU</th>
            <th scope="col">For a card like</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ sku, title }) => (
            <tr key={sku}>
              <td className="narrow mono">{sku}</td>
              <td className="fill">
                <span className="clip">{title ?? "A card that is not identified"}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Assign({ count, isChanged }: { count: number; isChanged: boolean }) {
  const assign = useMutation(trpc.skus.assign.mutationOptions({ onSuccess: followJob }));
  if (count === 0) return <span className="cell-sub">Every card has a SKU.</span>;
  return (
    <div className="form-row">
      <span>{counted(count, "card has", "cards have")} no SKU.</span>
      <Button
        size="xs"
        variant="default"
        disabled={isChanged}
        loading={assign.isPending}
        onClick={() => assign.mutate()}
      >
        Give {count === 1 ? "it" : "them"} one
      </Button>
      {isChanged ? <span className="cell-sub">Save the format first.</span> : null}
      <ProblemNote error={assign.error} />
    </div>
  );
}
