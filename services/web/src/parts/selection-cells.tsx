import { Checkbox } from "@mantine/core";

interface Choice {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** The head of a column of boxes: chooses all the rows that are shown, or none. */
export function SelectAllHead({ ids, chosen, onChoose }: Choice & { ids: readonly string[] }) {
  const chosenHere = ids.filter((id) => chosen.has(id)).length;
  return (
    <th scope="col" className="narrow">
      <Checkbox
        aria-label="Select all that are shown"
        checked={ids.length > 0 && chosenHere === ids.length}
        indeterminate={chosenHere > 0 && chosenHere < ids.length}
        onChange={(event) => onChoose(new Set(event.currentTarget.checked ? ids : []))}
      />
    </th>
  );
}

/** The box of one row. */
export function SelectCell({
  id,
  label,
  chosen,
  onChoose,
}: Choice & { id: string; label: string }) {
  return (
    <td className="narrow">
      <Checkbox
        aria-label={`Select ${label}`}
        checked={chosen.has(id)}
        onChange={(event) => {
          const next = new Set(chosen);
          if (event.currentTarget.checked) next.add(id);
          else next.delete(id);
          onChoose(next);
        }}
      />
    </td>
  );
}
