import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";
import { TextsForm } from "../../parts/listing-texts/texts-form.tsx";
import { Section } from "../../parts/section.tsx";

/** How the account's listings are titled and described, where neither batch nor card says otherwise. */
export function ListingTexts({ isOwner }: { isOwner: boolean }) {
  const save = useMutation(
    trpc.accounts.settings.update.mutationOptions({
      onSuccess: async (after) => {
        queryClient.setQueryData(trpc.accounts.settings.get.queryKey(), after);
        await queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() });
        notifications.show({ message: "The next listings are written so." });
      },
    }),
  );
  return (
    <Section
      id="listing-texts"
      title="How listings are written"
      lead="Titles and descriptions of what is published. A batch or a card may have its own; what is live keeps its words until it is revised."
    >
      <TextsForm
        of={{}}
        above="the standard"
        isReadOnly={!isOwner}
        isPending={save.isPending}
        error={save.error}
        onSave={({ title, description }) =>
          save.mutate({ title_template: title, description_template: description })
        }
      />
    </Section>
  );
}
