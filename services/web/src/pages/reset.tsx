import { Button, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { resetPassword } from "../app/sign-in-api.ts";
import { Wordmark } from "../look/wordmark.tsx";
import { useLinkToken } from "../parts/link-token.ts";
import { usePageTitle } from "../parts/page.tsx";
import { passwordProblem } from "../parts/password-rule.ts";
import { ProblemNote } from "../parts/problem-panel.tsx";

/** A one-time link that sets a new password. */
export function ResetPage() {
  usePageTitle("New password");
  const token = useLinkToken();
  const form = useForm({
    initialValues: { password: "", again: "" },
    validate: {
      password: passwordProblem,
      again: (again, { password }) => (again === password ? null : "The two are not the same"),
    },
  });
  const reset = useMutation({
    mutationFn: ({ password }: typeof form.values) => resetPassword(token, password),
    gcTime: 0,
    onSuccess: () => form.reset(),
  });
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <Title order={1} mb="md">
          New password
        </Title>
        {token === "" ? (
          <Text>
            This address is not complete. Open the whole link that you were given, or ask for a new
            one.
          </Text>
        ) : reset.isSuccess ? (
          <Text component="output">
            Your password is changed, and you are signed out everywhere.{" "}
            <Link to="/sign-in">Sign in</Link>
          </Text>
        ) : (
          <form onSubmit={form.onSubmit((values) => reset.mutate(values))} noValidate>
            <Stack gap="sm">
              <PasswordInput
                label="New password"
                description="At least 10 characters"
                autoComplete="new-password"
                {...form.getInputProps("password")}
              />
              <PasswordInput
                label="Once more"
                autoComplete="new-password"
                {...form.getInputProps("again")}
              />
              <ProblemNote error={reset.error} />
              <Button type="submit" fullWidth loading={reset.isPending}>
                Set password
              </Button>
            </Stack>
          </form>
        )}
      </div>
    </main>
  );
}
