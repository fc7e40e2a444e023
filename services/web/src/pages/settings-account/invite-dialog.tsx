import { roles } from "@cardvault/contract";
import type { Role } from "@cardvault/contract";
import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { roleWords } from "./role-words.ts";

interface Props {
  opened: boolean;
  onClose: () => void;
  onMade: (link: string, email: string) => void;
}

const roleNotes: Record<Role, string> = {
  owner: "Everything, also keys, webhooks, members and settings",
  member: "Cards, batches, listings and sales",
};

/** Makes a one-time link by which somebody joins the account. */
export function InviteDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Invite somebody">
      <InviteForm {...props} />
    </Modal>
  );
}

function InviteForm({ onClose, onMade }: Props) {
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: "", role: "member" },
    validate: {
      email: (email) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : "Enter an e-mail address"),
    },
  });
  const invite = useMutation({
    // The answer is handed on and not returned: what is returned would stand in the cache.
    async mutationFn({ email, role }: typeof form.values) {
      const made = await trpcClient.accounts.members.invite.mutate({ email: email.trim(), role });
      onMade(made.link, made.invitation.email);
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => invite.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label="E-mail address"
          description="Another link for the same address ends the first"
          type="email"
          maxLength={254}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("email")}
        />
        <Radio.Group label="Role" {...form.getInputProps("role")}>
          <Stack gap={8} mt={8}>
            {roles.toReversed().map((role) => (
              <Radio
                key={role}
                size="xs"
                value={role}
                label={roleWords[role]}
                description={roleNotes[role]}
              />
            ))}
          </Stack>
        </Radio.Group>
        <ProblemNote error={invite.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
