import { useSuspenseQuery } from "@tanstack/react-query";
import { trpc } from "../../app/trpc.ts";
import { Page } from "../../parts/page.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";

/** What somebody changes of oneself, in whatever account. */
export function ProfilePage() {
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  return (
    <Page title="Your profile" lead="The same in every account that you are a member of.">
      <NameForm user={current.user} />
      <PasswordForm email={current.user.email} />
      <Sessions />
    </Page>
  );
}
