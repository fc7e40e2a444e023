import "./settings-inventory.css";
import type { LabelPreviewInput, PlaceList } from "@cardvault/contract";
import { Button, Checkbox, Group } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { notifications } from "@mantine/notifications";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LabelsDialog } from "../../parts/labels-dialog.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { PlaceDialog } from "./place-dialog.tsx";

export type ListedPlace = PlaceList["data"][number];

function usePlaces() {
  return useInfiniteQuery({
    queryKey: trpc.locations.places.list.pathKey(),
    queryFn: ({ pageParam, signal }) =>
      trpcClient.locations.places.list.query(pageParam === null ? {} : { after: pageParam }, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? (page.data.at(-1)?.path ?? null) : null),
  });
}

/** What is known of places besides the cards that lie there: code, note, capacity; and their labels. */
export function Places() {
  const places = usePlaces();
  const rows = places.data?.pages.flatMap((page) => page.data) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<ListedPlace | "new" | null>(null);
  const [labels, setLabels] = useState<LabelPreviewInput["subjects"] | null>(null);
  const picked = rows.filter(({ path }) => chosen.has(path)).map(({ path }) => path);
  return (
    <Section
      id="places"
      title="Places"
      isTable
      lead="A code is what the place's label says to a scanner; a capacity warns before a box is overfull. Places where cards lie need not stand here."
      action={
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() =>
              setLabels(
                picked.length > 0
                  ? { type: "locations", paths: picked }
                  : { type: "locations_within", path: null },
              )
            }
          >
            {picked.length > 0 ? `Print ${picked.length} labels…` : "Print labels of all places…"}
          </Button>
          <Button variant="default" onClick={() => setEditing("new")}>
            Add place…
          </Button>
        </Group>
      }
    >
      {places.isPending ? (
        <TableSkeleton rows={4} columns={[16, 200, 90, 60, 80]} />
      ) : places.isError && rows.length === 0 ? (
        <ProblemPanel
          error={places.error}
          what="The places"
          onRetry={() => void places.refetch()}
        />
      ) : rows.length === 0 ? (
        <EmptyState
          title="No place is described yet"
          action={<Button onClick={() => setEditing("new")}>Add place…</Button>}
        >
          Describe the boxes, shelves and binders that you scan, so that their labels have short
          codes and a full one is noticed.
        </EmptyState>
      ) : (
        <>
          <PlaceTable rows={rows} chosen={chosen} onChoose={setChosen} onEdit={setEditing} />
          <LoadMore query={places} shown={rows.length} />
        </>
      )}
      <PlaceDialog place={editing} onClose={() => setEditing(null)} />
      <LabelsDialog subjects={labels} title="Labels of places" onClose={() => setLabels(null)} />
    </Section>
  );
}

function PlaceTable(props: {
  rows: readonly ListedPlace[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onEdit: (place: ListedPlace) => void;
}) {
  const { rows, chosen, onChoose } = props;
  const chosenHere = rows.filter(({ path }) => chosen.has(path)).length;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col" className="narrow">
              <Checkbox
                aria-label="Select all that are shown"
                checked={chosenHere === rows.length}
                indeterminate={chosenHere > 0 && chosenHere < rows.length}
                onChange={(event) =>
                  onChoose(new Set(event.currentTarget.checked ? rows.map(({ path }) => path) : []))
                }
              />
            </th>
            <th scope="col">Place</th>
            <th scope="col">Code</th>
            <th scope="col" className="number">
              Copies
            </th>
            <th scope="col" className="number">
              Capacity
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((place) => (
            <PlaceRow
              key={place.path}
              place={place}
              isChosen={chosen.has(place.path)}
              onChoose={(isChosen) => {
                const next = new Set(chosen);
                if (isChosen) next.add(place.path);
                else next.delete(place.path);
                onChoose(next);
              }}
              onEdit={() => props.onEdit(place)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PlaceRow(props: {
  place: ListedPlace;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onEdit: () => void;
}) {
  const { path, code, note, copies, capacity } = props.place;
  const remove = useMutation(
    trpc.locations.places.remove.mutationOptions({
      onSuccess() {
        void queryClient.invalidateQueries({ queryKey: trpc.locations.pathKey() });
        notifications.show({
          message: `${path} is described no more. Its cards lie where they lay.`,
        });
      },
      onError: (error) => notifications.show({ color: "red", message: problemOf(error).message }),
    }),
  );
  return (
    <tr>
      <td className="narrow">
        <Checkbox
          aria-label={`Select ${path}`}
          checked={props.isChosen}
          onChange={(event) => props.onChoose(event.currentTarget.checked)}
        />
      </td>
      <td className="fill">
        <Link to="/inventory" className="clip">
          {path}
        </Link>
        {note === null ? null : <span className="cell-sub clip">{note}</span>}
      </td>
      <td className="narrow mono">{code ?? "–"}</td>
      <td className="narrow number">{copies.toLocaleString()}</td>
      <td className="narrow number">
        {capacity === null ? "–" : capacity.toLocaleString()}
        {capacity !== null && copies > capacity ? (
          <span className="cell-sub" data-tone="bad">
            {(copies - capacity).toLocaleString()} too many
          </span>
        ) : null}
      </td>
      <td className="narrow">
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Edit ${path}`}
            onClick={props.onEdit}
          >
            Edit…
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Forget what is known of ${path}`}
            loading={remove.isPending}
            onClick={() => remove.mutate({ path })}
          >
            Forget
          </Button>
        </Group>
      </td>
    </tr>
  );
}
