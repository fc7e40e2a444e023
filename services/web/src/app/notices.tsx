import type { Notice } from "@cardvault/contract";
import { ActionIcon, Button, Indicator, Popover, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconBell } from "@tabler/icons-react";
import { useState } from "react";
import { ProblemNote, ProblemPanel } from "../parts/problem-panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { queryClient, trpc } from "./trpc.ts";

const shown = 20;
const refreshMs = 30_000;
const mostCounted = 1_000;

/** What the account was told without having asked, and how much of it nobody has read. */
export function NoticeBell() {
  const [isOpen, setIsOpen] = useState(false);
  const notices = useQuery(
    trpc.notices.list.queryOptions({ limit: shown }, { refetchInterval: refreshMs }),
  );
  const markRead = useMutation(
    trpc.notices.markRead.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.notices.list.pathKey() }),
    }),
  );
  const unread = notices.data?.unread ?? 0;
  const count = unread >= mostCounted ? `${mostCounted}+` : String(unread);
  const rows = notices.data?.data ?? [];
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      width={360}
      shadow="md"
      trapFocus
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Indicator label={count} size={16} color="red" disabled={unread === 0} offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread === 0 ? "Notices" : `Notices, ${count} unread`}
            onClick={() => setIsOpen((before) => !before)}
          >
            <IconBell size={18} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} aria-label="Notices">
        <div className="notices-head">
          <strong>Notices</strong>
          {unread === 0 ? null : (
            <Button
              size="compact-xs"
              variant="default"
              loading={markRead.isPending}
              onClick={() => markRead.mutate({ all: true })}
            >
              Mark all as read
            </Button>
          )}
        </div>
        <ProblemNote error={markRead.error} />
        {notices.isPending ? (
          <div className="notice" aria-busy="true">
            <Skeleton height={12} mb={8} />
            <Skeleton height={12} width="60%" />
          </div>
        ) : notices.data === undefined ? (
          <ProblemPanel
            error={notices.error}
            what="The notices"
            onRetry={() => void notices.refetch()}
          />
        ) : rows.length === 0 ? (
          <p className="notice cell-sub">
            Nothing to tell. When an endpoint fails for days, is disabled, or events are dropped, it
            is said here.
          </p>
        ) : (
          <ul className="notices">
            {rows.map((notice) => (
              <NoticeRow
                key={notice.id}
                notice={notice}
                onRead={() => {
                  if (notice.read_at === null) markRead.mutate({ ids: [notice.id] });
                }}
                onLeave={() => setIsOpen(false)}
              />
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function NoticeRow(props: { notice: Notice; onRead: () => void; onLeave: () => void }) {
  const { notice, onRead, onLeave } = props;
  const isUnread = notice.read_at === null;
  const follow = () => {
    onRead();
    onLeave();
  };
  return (
    <li className="notice" data-unread={isUnread || undefined}>
      <span className="wrap">
        {isUnread ? <span className="visually-hidden">Unread: </span> : null}
        {notice.message}
      </span>
      <span className="notice-foot">
        <RelativeTime at={notice.created_at} />
        {notice.kind === "events_dropped" ? (
          <Link
            to="/events/dropped"
            search={notice.endpoint_id === null ? {} : { endpoint: notice.endpoint_id }}
            onClick={follow}
          >
            See them
          </Link>
        ) : notice.kind === "marketplace_revoked" ? (
          <Link to="/settings/integrations" onClick={follow}>
            Connect it again
          </Link>
        ) : notice.endpoint_id === null ? null : (
          <Link to="/settings/webhooks/$id" params={{ id: notice.endpoint_id }} onClick={follow}>
            See the endpoint
          </Link>
        )}
        {isUnread ? (
          <Button size="compact-xs" variant="subtle" ml="auto" onClick={onRead}>
            Mark as read
          </Button>
        ) : null}
      </span>
    </li>
  );
}
