import { Button, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { chooseAccount } from "../app/account.ts";
import { isSignInRequired, problemOf } from "../app/problem.ts";
import { noteSignedIn } from "../app/session-ended.ts";
import { signIn } from "../app/sign-in-api.ts";
import { queryClient, trpcClient } from "../app/trpc.ts";
import { Wordmark } from "../look/wordmark.tsx";
import { useLinkToken } from "../parts/link-token.ts";
import { usePageTitle } from "../parts/page.tsx";
import { passwordProblem } from "../parts/password-rule.ts";
import { ProblemNote, ProblemPanel } from "../parts/problem-panel.tsx";
import { SignInForm } from "./sign-in.tsx";

/** A one-time link by which somebody joins an account. */
export function InvitePage() {
  usePageTitle("Invitation");
  const token = useLinkToken();
  const preview = useQuery({
    // The token is a secret and so no part of the key; a tab opens one link.
    queryKey: ["invitation"],
    queryFn: () => trpcClient.signIn.invitation.query({ token }),
    gcTime: 0,
    retry: false,
  });
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <Title order={1} mb="xs">
          Join an account
        </Title>
        {preview.isPending ? (
          <Stack gap="sm" aria-busy="true">
            <Skeleton height={40} />
            <Skeleton height={56} />
            <Skeleton height={56} />
          </Stack>
        ) : preview.isError ? (
          problemOf(preview.error).status === 404 || token === "" ? (
            <Text>This link was used already, or is too old. Ask for a new invitation.</Text>
          ) : (
            <ProblemPanel
              error={preview.error}
              what="The invitation"
              onRetry={() => void preview.refetch()}
            />
          )
        ) : (
          <Stack gap="md">
            <Text>
              You are invited to <strong>{preview.data.account_name}</strong> as{" "}
              {preview.data.role === "owner" ? "an owner" : "a member"}, with the address{" "}
              {preview.data.email}.
            </Text>
            {preview.data.has_sign_in ? (
              <JoinAsKnown token={token} email={preview.data.email} />
            ) : (
              <JoinAsNew token={token} email={preview.data.email} />
            )}
          </Stack>
        )}
      </div>
    </main>
  );
}

function useEnter(): (accountId: string) => void {
  const navigate = useNavigate();
  return (accountId) => {
    noteSignedIn();
    chooseAccount(accountId);
    queryClient.clear();
    void navigate({ to: "/", replace: true });
  };
}

/** Somebody who can sign in already joins as who they are; the link alone signs nobody in. */
function JoinAsKnown({ token, email }: { token: string; email: string }) {
  const enter = useEnter();
  const accept = useMutation({
    mutationFn: () => trpcClient.signIn.acceptInvitation.mutate({ token }),
    onSuccess: (answer) => enter(answer.account_id),
  });
  const [mustSignIn, setMustSignIn] = useState(false);
  if (mustSignIn || isSignInRequired(accept.error ?? undefined)) {
    return (
      <>
        <Text>You have a sign-in already. Use it to accept.</Text>
        <SignInForm
          email={email}
          onSignedIn={() => {
            setMustSignIn(false);
            accept.mutate();
          }}
        />
      </>
    );
  }
  return (
    <>
      <ProblemNote error={accept.error} />
      <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        Accept
      </Button>
      {problemOf(accept.error).code === "not_permitted" ? (
        <Button variant="default" fullWidth onClick={() => setMustSignIn(true)}>
          Sign in as {email}
        </Button>
      ) : null}
    </>
  );
}

function JoinAsNew({ token, email }: { token: string; email: string }) {
  const enter = useEnter();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: "", password: "" },
    validate: {
      name: (name) => (name.trim() === "" ? "Enter your name" : null),
      password: passwordProblem,
    },
  });
  const accept = useMutation({
    async mutationFn({ name, password }: typeof form.values) {
      const { account_id: accountId } = await trpcClient.signIn.acceptInvitation.mutate({
        token,
        name: name.trim(),
        password,
      });
      // The link has done its work by now, so a sign-in that fails here is tried again on its own page.
      const isSignedIn = await signIn(email, password).then(
        () => true,
        () => false,
      );
      return { accountId, isSignedIn };
    },
    gcTime: 0,
    onSuccess({ accountId, isSignedIn }) {
      if (isSignedIn) enter(accountId);
      else void navigate({ to: "/sign-in", replace: true });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => accept.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={100}
          {...form.getInputProps("name")}
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters"
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <ProblemNote error={accept.error} />
        <Button type="submit" fullWidth loading={accept.isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
