import type { Member } from "@cardvault/contract";
import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { refreshMembers } from "./refresh-members.ts";

/** Ends a membership: somebody else's, or one's own. */
export function RemoveMemberDialog(props: {
  member: Member | null;
  isSelf: boolean;
  onClose: () => void;
}) {
  const { member, isSelf } = props;
  const remove = useMutation(
    trpc.accounts.members.remove.mutationOptions({
      onSuccess() {
        // Somebody who has left sees another account, or none.
        if (isSelf) window.location.assign("/");
        notifications.show({ message: `${member?.name ?? "The person"} is no member any more.` });
        void queryClient.invalidateQueries(trpc.accounts.mine.queryFilter());
        void refreshMembers();
        close();
      },
    }),
  );
  function close(): void {
    props.onClose();
    remove.reset();
  }
  return (
    <ConfirmDialog
      opened={member !== null}
      title={isSelf ? "Leave this account" : "Remove member"}
      confirm={isSelf ? "Leave" : "Remove"}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        if (member !== null) remove.mutate({ user_id: member.user_id });
      }}
      onClose={close}
    >
      <Text>
        {isSelf
          ? "You see nothing of this account any more, at once. An owner can invite you again."
          : `${member?.name ?? ""} sees nothing of this account any more, at once. Keys that were made by this person stay; rotate those that must not be known.`}
      </Text>
    </ConfirmDialog>
  );
}
