import type { ImportMapping } from "@cardvault/contract";
import { Button, Group, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

const maxLength = 80;

/** The next list with these headers is read in the same way. */
export function SaveMapping(props: { importId: string; mapping: ImportMapping; fileName: string }) {
  const [name, setName] = useState(props.fileName.replace(/\.[a-z]+$/i, "").slice(0, maxLength));
  const save = useMutation({
    mutationFn: () =>
      trpcClient.imports.mappings.save.mutate({
        import_id: props.importId,
        name: name.trim(),
        mapping: props.mapping,
      }),
    onSuccess: () =>
      notifications.show({ message: "The next list with these columns is read in the same way." }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Group gap="xs" align="end">
        <TextInput
          label="Keep these columns for the next list"
          maxLength={maxLength}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={name.trim() === ""}
          loading={save.isPending}
        >
          Keep
        </Button>
        <ProblemNote error={save.error} />
      </Group>
    </form>
  );
}
