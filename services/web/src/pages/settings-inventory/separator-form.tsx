import { Button, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";

/** What stands between the parts of a location, by which it is read as a tree. */
export function SeparatorForm({ saved, isOwner }: { saved: string; isOwner: boolean }) {
  const [separator, setSeparator] = useState(saved);
  const save = useMutation(
    trpc.accounts.settings.update.mutationOptions({
      onSuccess(after) {
        queryClient.setQueryData(trpc.accounts.settings.get.queryKey(), after);
        void queryClient.invalidateQueries({ queryKey: trpc.locations.pathKey() });
        notifications.show({ message: "Locations are divided so from now on." });
      },
    }),
  );
  return (
    <Section
      id="separator"
      title="Locations"
      lead="A card's location is free text. What stands between its parts makes a tree of it, with sums for each place."
    >
      <form
        className="form-row"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ location_separator: separator });
        }}
      >
        <TextInput
          label="Between the parts"
          w={140}
          maxLength={3}
          readOnly={!isOwner}
          classNames={{ input: "mono" }}
          value={separator}
          onChange={(event) => setSeparator(event.currentTarget.value)}
          error={fieldErrorsOf(save.error)["location_separator"]}
        />
        {isOwner ? (
          <Button
            type="submit"
            variant="default"
            disabled={separator === saved || separator === ""}
            loading={save.isPending}
          >
            Save separator
          </Button>
        ) : null}
        <span className="cell-sub separator-example">
          <span className="mono">{["Vault", "Shelf 2", "Box 07"].join(separator)}</span> is a box on
          a shelf in the vault
        </span>
        <ProblemNote error={save.error} />
      </form>
    </Section>
  );
}
