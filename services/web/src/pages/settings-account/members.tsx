import type { Current, Invitation, Member, Role } from "@cardvault/contract";
import { roles } from "@cardvault/contract";
import { Button, Group, NativeSelect } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAsked } from "../../app/asked.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { useChoice } from "../../parts/choice.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { offerUndo } from "../../parts/undo.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { refreshMembers } from "./refresh-members.ts";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";
import { roleWords } from "./role-words.ts";

const tell = (error: unknown) => tellProblem(error, { title: "It was not done" });

/** Who works in the account, and who is invited to. */
export function Members({ current }: { current: Current }) {
  const members = useQuery(trpc.accounts.members.list.queryOptions());
  const [isInviting, setIsInviting] = useState(false);
  useAsked("invite", () => setIsInviting(true));
  const [removing, setRemoving] = useState<Member | null>(null);
  // The only place that ever holds a link: not the cache, not storage, not the address.
  const [made, setMade] = useState<{ link: string; email: string } | null>(null);
  const isOwner = current.role === "owner";
  const invitations = members.data?.invitations ?? [];
  return (
    <Section
      id="members"
      title="Members"
      isTable
      lead="Owners may do everything. Members work with cards, batches and listings; keys, webhooks, members and settings are for owners."
      action={isOwner ? <Button onClick={() => setIsInviting(true)}>Invite…</Button> : undefined}
    >
      {members.isPending ? (
        <TableSkeleton rows={3} columns={[160, 90, 90, 60]} />
      ) : members.isError ? (
        <ProblemPanel
          error={members.error}
          what="The members"
          onRetry={() => void members.refetch()}
        />
      ) : (
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">Role</th>
                <th scope="col">Since</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {members.data.data.map((member) => (
                <MemberRow
                  key={member.user_id}
                  member={member}
                  isSelf={member.user_id === current.user.id}
                  onRemove={() => setRemoving(member)}
                />
              ))}
              {invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <InviteDialog
        opened={isInviting}
        onClose={() => setIsInviting(false)}
        onMade={(link, email) => {
          setIsInviting(false);
          setMade({ link, email });
          void refreshMembers();
        }}
      />
      <RemoveMemberDialog
        member={removing}
        isSelf={removing?.user_id === current.user.id}
        onClose={() => setRemoving(null)}
      />
      <SecretDialog
        title="Invitation"
        label="Link"
        secret={made?.link ?? null}
        onClose={() => setMade(null)}
      >
        Give it to {made?.email}. It works once, for seven days, and cannot be shown again. Where
        mail is set up, it is sent there too.
      </SecretDialog>
    </Section>
  );
}

/** What an owner may do is much, so a slip is taken back by one key. */
function offerRoleUndo({ user_id, name, role: before }: Member, role: Role): void {
  offerUndo({
    message: `${name}: ${roleWords[role]}.`,
    async undo() {
      await trpcClient.accounts.members.setRole.mutate({ user_id, role: before });
      await refreshMembers();
      return undefined;
    },
  });
}

function MemberRow(props: { member: Member; isSelf: boolean; onRemove: () => void }) {
  const { member, isSelf } = props;
  const setRole = useMutation(
    trpc.accounts.members.setRole.mutationOptions({
      onError(error) {
        tell(error);
        void refreshMembers();
      },
      // What was chosen is shown until the list has it too.
      onSuccess(_answer, { role }) {
        offerRoleUndo(member, role);
        return refreshMembers();
      },
    }),
  );
  const shown = setRole.isPending ? setRole.variables.role : member.role;
  const choice = useChoice(shown, (role) =>
    setRole.mutate({ user_id: member.user_id, role: role as Role }),
  );
  return (
    <tr>
      <td className="fill">
        <span className="clip">
          {member.name}
          {isSelf ? " (you)" : ""}
        </span>
        <span className="cell-sub clip">{member.email}</span>
      </td>
      <td className="narrow">
        <NativeSelect
          size="xs"
          w={116}
          aria-label={`Role of ${member.name}`}
          data={roles.map((role) => ({ value: role, label: roleWords[role] }))}
          {...choice}
        />
      </td>
      <td className="narrow">
        <RelativeTime at={member.joined_at} />
      </td>
      <td className="narrow">
        <Button
          size="compact-xs"
          variant="default"
          {...(isSelf ? {} : { "aria-label": `Remove ${member.name}` })}
          onClick={props.onRemove}
        >
          {isSelf ? "Leave…" : "Remove…"}
        </Button>
      </td>
    </tr>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const withdraw = useMutation(
    trpc.accounts.members.withdraw.mutationOptions({ onSettled: refreshMembers, onError: tell }),
  );
  return (
    <tr data-ended>
      <td className="fill">
        <span className="clip">{invitation.email}</span>
        <span className="cell-sub">Invited, not accepted yet</span>
      </td>
      <td className="narrow">{roleWords[invitation.role]}</td>
      <td className="narrow">
        <Group gap={4}>
          Link ends <RelativeTime at={invitation.expires_at} />
        </Group>
      </td>
      <td className="narrow">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate({ id: invitation.id })}
        >
          Withdraw
        </Button>
      </td>
    </tr>
  );
}
