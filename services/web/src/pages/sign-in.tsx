import { Button, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { signIn } from "../app/sign-in-api.ts";
import { noteSignedIn } from "../app/session-ended.ts";
import { queryClient } from "../app/trpc.ts";
import { Wordmark } from "../look/wordmark.tsx";
import { usePageTitle } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem-panel.tsx";

/** E-mail and password; the password leaves the form's state as soon as it was right. */
export function SignInForm(props: { email?: string | undefined; onSignedIn: () => void }) {
  const form = useForm({
    initialValues: { email: props.email ?? "", password: "" },
    validate: {
      email: (value) => (value.includes("@") ? null : "Enter your e-mail address"),
      password: (value) => (value === "" ? "Enter your password" : null),
    },
  });
  const submit = useMutation({
    mutationFn: ({ email, password }: typeof form.values) => signIn(email.trim(), password),
    gcTime: 0,
    onSuccess() {
      form.setFieldValue("password", "");
      noteSignedIn();
      props.onSignedIn();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          data-autofocus={props.email === undefined || undefined}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus={props.email !== undefined || undefined}
          {...form.getInputProps("password")}
        />
        <ProblemNote error={submit.error} />
        <Button type="submit" loading={submit.isPending} fullWidth mt={4}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Only a path of our own is gone to after sign-in. */
function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/";
}

export function SignInPage() {
  usePageTitle("Sign in");
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <Title order={1} mb="md">
          Sign in
        </Title>
        <SignInForm
          onSignedIn={() => {
            queryClient.clear();
            void navigate({ href: safeNext(next), replace: true });
          }}
        />
      </div>
    </main>
  );
}
