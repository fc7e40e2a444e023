import type { CardImport, ImportStatus } from "@cardvault/contract";
import { Button, Group, Progress, Skeleton, Stack, Text, Textarea, Title } from "@mantine/core";
import "@mantine/dropzone/styles.css";
import { Dropzone } from "@mantine/dropzone";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { keepList } from "./keep-list.ts";
import { layoutWords } from "./list-words.ts";
import { uploadList } from "./upload-list.ts";

const shownImports = 10;

/** Takes a list: a file, or text from a spreadsheet. */
export function StartList() {
  const { batch } = useSearch({ from: "/inside/import/csv" });
  const navigate = useNavigate();
  const openPicker = useRef<() => void>(null);
  const [share, setShare] = useState<number | null>(null);
  const [pasted, setPasted] = useState("");
  const upload = useMutation({
    async mutationFn(file: File) {
      setShare(0);
      const made = await uploadList(file, setShare);
      keepList(made);
      void queryClient.invalidateQueries({ queryKey: trpc.imports.list.pathKey() });
      // What is known by its headers needs nobody to say what its columns are.
      if (made.status === "uploaded" && made.mapping_from !== "guessed") {
        keepList(await trpcClient.imports.preview.mutate({ id: made.id }));
      }
      await navigate({ to: "/import/csv", search: { import: made.id, batch } });
    },
    onSettled: () => setShare(null),
  });
  return (
    <Stack gap="lg">
      <section aria-label="What is imported">
        <Dropzone
          openRef={openPicker}
          onDrop={([file]: File[]) => {
            if (file !== undefined) upload.mutate(file);
          }}
          multiple={false}
          activateOnClick={false}
          activateOnKeyboard={false}
          tabIndex={-1}
          disabled={upload.isPending}
          className="photo-drop-zone"
          styles={{ inner: { pointerEvents: "all" } }}
          inputProps={{ "aria-label": "List" }}
        >
          <Group justify="center" gap="md">
            <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden />
            <div>
              <Text fw={550}>Drop a CSV here</Text>
              <span className="cell-sub">Up to 100 MB and a million rows</span>
            </div>
            <Button onClick={() => openPicker.current?.()} loading={upload.isPending}>
              Choose a file
            </Button>
          </Group>
        </Dropzone>
        {share === null ? null : (
          <Progress.Root size={8} mt="xs">
            <Progress.Section aria-label="Upload" value={share * 100} />
          </Progress.Root>
        )}
        <ProblemNote error={upload.error} />
        <Details error={upload.error} />
      </section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          upload.mutate(new File([pasted], "pasted.csv", { type: "text/csv" }));
        }}
      >
        <Textarea
          label="Or paste from a spreadsheet, with its head"
          autosize
          minRows={3}
          maxRows={10}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <Button
          type="submit"
          mt="xs"
          variant="default"
          disabled={pasted.trim() === "" || upload.isPending}
        >
          Use what is pasted
        </Button>
      </form>
      <EarlierLists />
    </Stack>
  );
}

/** What is wrong with the file itself. */
function Details({ error }: { error: unknown }) {
  const details = error instanceof Error && "problem" in error ? detailsOf(error.problem) : [];
  return details.map((message) => (
    <p key={message} className="cell-sub" role="alert">
      {message}
    </p>
  ));
}

function detailsOf(problem: unknown): string[] {
  const details = (problem as { details?: readonly { message: string }[] }).details ?? [];
  return details.map(({ message }) => message);
}

const statusWords: Record<ImportStatus, string> = {
  uploading: "Being uploaded",
  uploaded: "Not checked yet",
  checking: "Being checked",
  checked: "Checked, not imported",
  importing: "Being imported",
  imported: "Imported",
  stopped: "Stopped on the way",
  undoing: "Being taken back",
  undone: "Taken back",
  unreadable: "Cannot be read",
};

function EarlierLists() {
  const imports = useQuery(trpc.imports.list.queryOptions());
  if (imports.isPending) return <Skeleton height={96} aria-busy="true" />;
  if (imports.data === undefined) {
    return (
      <div className="panel">
        <ProblemPanel
          error={imports.error}
          what="Earlier lists"
          onRetry={() => void imports.refetch()}
        />
      </div>
    );
  }
  const rows = imports.data.data.slice(0, shownImports);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <Title order={2} id="earlier" mb="xs">
        Earlier lists
      </Title>
      <div className="panel table-scroll">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">List</th>
              <th scope="col">State</th>
              <th scope="col">Form</th>
              <th scope="col" className="number">
                Cards made
              </th>
              <th scope="col">Uploaded</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <EarlierRow key={one.id} one={one} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function EarlierRow({ one }: { one: CardImport }) {
  return (
    <tr>
      <td className="fill">
        <Link to="/import/csv" search={{ import: one.id }} className="clip">
          {one.file_name}
        </Link>
      </td>
      <td className="narrow">{statusWords[one.status]}</td>
      <td className="narrow">{one.layout === null ? "" : layoutWords[one.layout]}</td>
      <td className="narrow number">{one.outcomes.created.toLocaleString()}</td>
      <td className="narrow">
        <RelativeTime at={one.created_at} />
      </td>
    </tr>
  );
}
