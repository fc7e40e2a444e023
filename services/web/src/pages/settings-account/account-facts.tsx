import type { Current } from "@cardvault/contract";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";

/** What an account is, and its name, which owners change. */
export function AccountFacts({ current: { account, role } }: { current: Current }) {
  const form = useForm({
    initialValues: { name: account.name },
    validate: { name: (name) => (name.trim() === "" ? "Give the account a name" : null) },
  });
  const save = useMutation(
    trpc.accounts.settings.update.mutationOptions({
      onSuccess({ name }) {
        notifications.show({ message: `The account is called ${name} now.` });
        form.setInitialValues({ name: name ?? "" });
        form.reset();
        void queryClient.invalidateQueries(trpc.accounts.current.queryFilter());
        void queryClient.invalidateQueries(trpc.accounts.mine.queryFilter());
        void queryClient.invalidateQueries(trpc.accounts.settings.get.queryFilter());
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <Section id="account" title="This account">
      {role === "owner" ? (
        <form
          className="form-row"
          style={{ marginBottom: 16 }}
          onSubmit={form.onSubmit(({ name }) => save.mutate({ name: name.trim() }))}
          noValidate
        >
          <TextInput
            label="Name"
            description="Members see it; it stands in invitations and notices"
            maxLength={100}
            w={320}
            {...form.getInputProps("name")}
          />
          <Button
            type="submit"
            variant="default"
            disabled={!form.isDirty()}
            loading={save.isPending}
          >
            Save name
          </Button>
          <ProblemNote error={save.error} />
        </form>
      ) : null}
      <Facts>
        <Fact label="Environment">
          {account.environment === "test" ? "Test: third parties are simulated" : "Live"}
        </Fact>
        <Fact label="Currency">{account.currency}</Fact>
        <Fact label="Your role">{role === "owner" ? "Owner" : "Member"}</Fact>
        <Fact label="Identifier">
          <span className="mono wrap">{account.id}</span>
        </Fact>
        <Fact label="Made">
          <RelativeTime at={account.created_at} />
        </Fact>
      </Facts>
    </Section>
  );
}
