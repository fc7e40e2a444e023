import type { Current } from "@cardvault/contract";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";

/** One's own name. The address is what one signs in with, and stays. */
export function NameForm({ user }: { user: Current["user"] }) {
  const form = useForm({
    initialValues: { name: user.name },
    validate: { name: (name) => (name.trim() === "" ? "Enter your name" : null) },
  });
  const save = useMutation(
    trpc.signIn.rename.mutationOptions({
      onSuccess({ name }) {
        notifications.show({ message: "Your name is saved." });
        form.setInitialValues({ name });
        form.reset();
        void queryClient.invalidateQueries(trpc.accounts.current.queryFilter());
        void queryClient.invalidateQueries(trpc.accounts.members.list.queryFilter());
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <Section id="name" title="Name">
      <form
        className="form-row"
        onSubmit={form.onSubmit(({ name }) => save.mutate({ name: name.trim() }))}
        noValidate
      >
        <TextInput
          label="Your name"
          description="Members and the trail show it"
          autoComplete="name"
          maxLength={100}
          w={320}
          {...form.getInputProps("name")}
        />
        <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
          Save name
        </Button>
        <ProblemNote error={save.error} />
      </form>
      <p className="cell-sub" style={{ margin: "12px 0 0" }}>
        You sign in as {user.email}.
      </p>
    </Section>
  );
}
