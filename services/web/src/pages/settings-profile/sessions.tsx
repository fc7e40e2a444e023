import type { PersonSession } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { IconDeviceDesktop } from "@tabler/icons-react";
import { queryClient, trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/table-skeleton.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { counted } from "../../parts/words.ts";
import { browserWords } from "./browser-words.ts";

const settle = {
  onSettled: () => void queryClient.invalidateQueries(trpc.signIn.sessions.queryFilter()),
  onError: (error: unknown) => tellProblem(error, { title: "It was not ended" }),
};

/** Where one is signed in; one of them is ended, or all but this one. */
export function Sessions() {
  const sessions = useQuery(trpc.signIn.sessions.queryOptions());
  const endOthers = useMutation(
    trpc.signIn.endOtherSessions.mutationOptions({
      ...settle,
      onSuccess: ({ ended }) =>
        notifications.show({ message: `${counted(ended, "session")} ended.` }),
    }),
  );
  const rows = sessions.data?.data ?? [];
  return (
    <Section
      id="sessions"
      title="Where you are signed in"
      isTable
      action={
        rows.length > 1 ? (
          <Button
            size="xs"
            variant="default"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            End all others
          </Button>
        ) : undefined
      }
    >
      {sessions.isPending ? (
        <TableSkeleton rows={2} columns={[180, 120, 90, 50]} />
      ) : sessions.isError ? (
        <ProblemPanel
          error={sessions.error}
          what="Your sessions"
          onRetry={() => void sessions.refetch()}
        />
      ) : (
        <div className="table-scroll">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Browser</th>
                <th scope="col">Address</th>
                <th scope="col">Signed in</th>
                <th scope="col">Ends</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: PersonSession }) {
  const end = useMutation(trpc.signIn.endSession.mutationOptions(settle));
  const browser = browserWords(session.user_agent);
  return (
    <tr>
      <td className="fill">
        <span className="clip" title={session.user_agent ?? undefined}>
          {browser}
        </span>
      </td>
      <td className="narrow mono">{session.ip_address || "–"}</td>
      <td className="narrow">
        <RelativeTime at={session.created_at} />
      </td>
      <td className="narrow">
        <RelativeTime at={session.expires_at} />
      </td>
      <td className="narrow">
        {session.is_current ? (
          <Chip tone="good" icon={IconDeviceDesktop}>
            This one
          </Chip>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`End the session of ${browser}`}
            loading={end.isPending}
            onClick={() => end.mutate({ id: session.id })}
          >
            End
          </Button>
        )}
      </td>
    </tr>
  );
}
