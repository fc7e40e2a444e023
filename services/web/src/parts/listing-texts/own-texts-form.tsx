import type { TemplateOwnerInput } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";
import type { Pictured } from "../card-picture.tsx";
import { TextsForm } from "./texts-form.tsx";

/** The templates of one batch or card: written, or taken away so that what is above them holds. */
export function OwnTextsForm(props: {
  of: TemplateOwnerInput;
  /** Whose hold without them: `the account's`. */
  above: string;
  card?: Pictured & { id: string };
  cancel: string;
  onClose: () => void;
}) {
  const { of, above, card, onClose } = props;
  const templates = useQuery(trpc.listings.templates.get.queryOptions(of));
  const save = useMutation(
    trpc.listings.templates.save.mutationOptions({
      onSuccess: async (after, { title, description }) => {
        queryClient.setQueryData(trpc.listings.templates.get.queryKey(of), after);
        await queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() });
        notifications.show({
          message:
            title === null && description === null
              ? `Listings are written by ${above} templates.`
              : "The next listings are written so.",
        });
        onClose();
      },
    }),
  );
  const own = templates.data?.own;
  const hasOwn = own !== undefined && (own.title !== null || own.description !== null);
  return (
    <TextsForm
      of={of}
      above={above}
      {...(card === undefined ? {} : { card })}
      isPending={save.isPending}
      error={save.error}
      onSave={(texts) => save.mutate({ ...of, ...texts })}
    >
      {hasOwn ? (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ ...of, title: null, description: null })}
        >
          Remove its own
        </Button>
      ) : null}
      <Button variant="default" onClick={onClose}>
        {props.cancel}
      </Button>
    </TextsForm>
  );
}
