import { Button, PasswordInput, SimpleGrid } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { changePassword } from "../../app/sign-in-api.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { passwordProblem } from "../../parts/password-rule.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { Section } from "../../parts/section.tsx";

/** Another password; every other session of the person ends with the old one. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm({
    initialValues: { current: "", password: "", again: "" },
    validate: {
      current: (current) => (current === "" ? "Enter the password that you have now" : null),
      password: passwordProblem,
      again: (again, { password }) => (again === password ? null : "The two are not the same"),
    },
  });
  const change = useMutation({
    mutationFn: ({ current, password }: typeof form.values) => changePassword(current, password),
    // What was typed does not stay in the cache.
    gcTime: 0,
    onSuccess() {
      form.reset();
      change.reset();
      notifications.show({ message: "Your password is changed. You are signed in here only." });
      void queryClient.invalidateQueries(trpc.signIn.sessions.queryFilter());
    },
  });
  return (
    <Section id="password" title="Password" lead="Changing it signs you out everywhere but here.">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        {/* For the browser's own store of passwords, which asks whose it is. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          <PasswordInput
            label="Password now"
            autoComplete="current-password"
            {...form.getInputProps("current")}
          />
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            inputWrapperOrder={["label", "input", "description", "error"]}
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
          <PasswordInput
            label="Once more"
            autoComplete="new-password"
            {...form.getInputProps("again")}
          />
        </SimpleGrid>
        <div className="form-row" style={{ marginTop: 16 }}>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change password
          </Button>
          <ProblemNote error={change.error} />
        </div>
      </form>
    </Section>
  );
}
