import "./settings-inventory.css";
import type { LabelPreviewInput, PlaceList } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { notifications } from "@mantine/notifications";
import { useAsked } from "../../app/asked.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { inStock } from "../../parts/stages.ts";
import { LabelsDialog } from "../../parts/labels-dialog.tsx";
import { ListBody } from "../../parts/list-body.tsx";
import { Section } from "../../parts/section.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { SelectAllHead, SelectCell } from "../../parts/selection-cells.tsx";
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
export function Places({ separator }: { separator: string }) {
  const places = usePlaces();
  const rows = places.data?.pages.flatMap((page) => page.data) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<ListedPlace | "new" | null>(null);
  const [labels, setLabels] = useState<LabelPreviewInput["subjects"] | null>(null);
  useAsked("place_labels", () => setLabels({ type: "locations_within", path: null }));
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
      <ListBody
        query={places}
        shown={rows.length}
        what="The places"
        columns={[16, 200, 90, 60, 80]}
        skeletonRows={4}
        empty={
          <EmptyState
            title="No place is described yet"
            action={<Button onClick={() => setEditing("new")}>Add place…</Button>}
          >
            Describe the boxes, shelves and binders that you scan, so that their labels have short
            codes and a full one is noticed.
          </EmptyState>
        }
      >
        <PlaceTable
          rows={rows}
          separator={separator}
          chosen={chosen}
          onChoose={setChosen}
          onEdit={setEditing}
        />
      </ListBody>
      <PlaceDialog place={editing} onClose={() => setEditing(null)} />
      <LabelsDialog subjects={labels} title="Labels of places" onClose={() => setLabels(null)} />
    </Section>
  );
}

function PlaceTable(props: {
  rows: readonly ListedPlace[];
  separator: string;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onEdit: (place: ListedPlace) => void;
}) {
  const { rows, chosen, onChoose } = props;
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <SelectAllHead ids={rows.map(({ path }) => path)} chosen={chosen} onChoose={onChoose} />
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
              separator={props.separator}
              chosen={chosen}
              onChoose={onChoose}
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
  separator: string;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
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
      onError: (error) => tellProblem(error, { title: `${path} was not removed` }),
    }),
  );
  return (
    <tr>
      <SelectCell id={path} label={path} chosen={props.chosen} onChoose={props.onChoose} />
      <td className="fill">
        <Link
          to="/inventory"
          // What lies there and within, as its copies are counted.
          search={{ location: [path, `${path}${props.separator}*`], workflow_status: inStock }}
          className="clip"
        >
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
