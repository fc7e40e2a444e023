import type { InventoryView } from "@cardvault/contract";
import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import type { ViewContent } from "./views-menu.tsx";

const refresh = () => queryClient.invalidateQueries(trpc.views.list.queryFilter());

/** Saves what is shown under a name: as a new view, or in place of what one was. */
export function ViewDialog(props: {
  view: InventoryView | null;
  content: ViewContent;
  onClose: () => void;
  onSaved: (view: InventoryView) => void;
}) {
  const { view, content, onClose, onSaved } = props;
  const [name, setName] = useState(view?.name ?? "");
  const [isShared, setIsShared] = useState(view?.is_shared ?? false);
  const done = {
    onSuccess: (saved: InventoryView) => {
      void refresh();
      onSaved(saved);
      onClose();
    },
  };
  const create = useMutation(trpc.views.create.mutationOptions(done));
  const update = useMutation(trpc.views.update.mutationOptions(done));
  const error = create.error ?? update.error;
  return (
    <Modal opened onClose={onClose} title={view === null ? "Save view" : "Change view"}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const input = { name: name.trim(), is_shared: isShared, ...content };
          if (view === null) create.mutate(input);
          else update.mutate({ id: view.id, ...input });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            data-autofocus
            required
            maxLength={60}
            value={name}
            error={fieldErrorsOf(error)["name"]}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label="Everybody in the account sees it"
            checked={isShared}
            onChange={(event) => setIsShared(event.currentTarget.checked)}
          />
          <p className="cell-sub">It keeps the filters, the search, the order and the columns.</p>
          <ProblemNote error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || update.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function DeleteViewDialog(props: {
  view: InventoryView;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { view, onClose, onDeleted } = props;
  const remove = useMutation(
    trpc.views.delete.mutationOptions({
      onSuccess: () => {
        void refresh();
        onDeleted();
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      title={`Delete the view ${view.name}`}
      confirm="Delete view"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: view.id })}
      onClose={onClose}
    >
      {view.is_shared
        ? "It goes away for everybody in the account. The cards stay as they are."
        : "The cards stay as they are."}
    </ConfirmDialog>
  );
}
