import type { Current } from "@cardvault/contract";
import { AppShell, Burger, Group, Modal, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import {
  IconAlertCircle,
  IconCards,
  IconFlask,
  IconHome,
  IconKey,
  IconLock,
  IconTimelineEvent,
  IconWebhook,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { Wordmark } from "../look/wordmark.tsx";
import { SignInForm } from "../pages/sign-in.tsx";
import { useAccountId } from "./account.ts";
import { AccountSwitcher } from "./account-switcher.tsx";
import { HelpDialog } from "./help.tsx";
import { useLive } from "./live.ts";
import { LiveMark } from "./live-mark.tsx";
import { useJumpKeys } from "./jump-keys.ts";
import type { jumps } from "./jump-keys.ts";
import { NoticeBell } from "./notices.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { useSessionEnded } from "./session-ended.ts";
import { queryClient, trpc } from "./trpc.ts";

const overviewRefreshMs = 30_000;

/** What stands on every page of somebody who is signed in. */
export function Shell() {
  const accountId = useAccountId();
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const [isOpen, menu] = useDisclosure();
  useJumpKeys();
  useLive(accountId);
  return (
    <AppShell
      layout="alt"
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      header={{ height: { base: 48, sm: 0 } }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <AppShell.Header hiddenFrom="sm" px="md">
        <Group h="100%" justify="space-between">
          <Wordmark />
          <Group gap="xs">
            <NoticeBell />
            <Burger opened={isOpen} onClick={menu.toggle} size="sm" aria-label="Navigation" />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p={12} bg="var(--vault-ground)">
        <Group h={40} px={8} mb={8} justify="space-between">
          <Link to="/" className="wordmark" aria-label="Card Vault, dashboard">
            <Wordmark />
          </Link>
          <Group visibleFrom="sm">
            <NoticeBell />
          </Group>
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            size="sm"
            hiddenFrom="sm"
            aria-label="Close navigation"
          />
        </Group>
        <AccountSwitcher current={current} />
        <ScrollArea flex={1} mt={12} type="auto">
          <Navigation current={current} onChosen={menu.close} />
        </ScrollArea>
        <LiveMark />
        <PersonMenu user={current.user} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <AccountMarks current={current} />
        <Outlet key={accountId} />
      </AppShell.Main>
      <HelpDialog />
      <SessionDialog email={current.user.email} />
    </AppShell>
  );
}

function Navigation({ current, onChosen }: { current: Current; onChosen: () => void }) {
  const overview = useQuery(
    trpc.accounts.overview.queryOptions(undefined, { refetchInterval: overviewRefreshMs }),
  );
  const dropped = overview.data?.dropped_events ?? 0;
  return (
    <nav aria-label="Main">
      <NavLink to="/" onChosen={onChosen} icon={IconHome} keyHint="h">
        Dashboard
      </NavLink>
      <NavLink to="/inventory" onChosen={onChosen} icon={IconCards} keyHint="i">
        Inventory
      </NavLink>
      <NavLink to="/events" onChosen={onChosen} icon={IconTimelineEvent} keyHint="e">
        Events
      </NavLink>
      <NavLink
        to="/events/dropped"
        onChosen={onChosen}
        icon={IconAlertCircle}
        keyHint="d"
        {...(dropped > 0 ? { count: dropped } : {})}
      >
        Dropped events
      </NavLink>
      {current.role === "owner" ? (
        <>
          <p className="nav-heading">Settings</p>
          <NavLink to="/settings/api" onChosen={onChosen} icon={IconKey} keyHint="k">
            API keys
          </NavLink>
          <NavLink to="/settings/webhooks" onChosen={onChosen} icon={IconWebhook} keyHint="w">
            Webhooks
          </NavLink>
        </>
      ) : null}
    </nav>
  );
}

function NavLink(props: {
  to: (typeof jumps)[keyof typeof jumps];
  icon: Icon;
  keyHint: keyof typeof jumps;
  count?: number;
  onChosen: () => void;
  children: string;
}) {
  const Shape = props.icon;
  return (
    <Link
      to={props.to}
      className="nav-link"
      activeOptions={{ exact: props.to === "/" || props.to === "/events", includeSearch: false }}
      title={`g then ${props.keyHint}`}
      onClick={props.onChosen}
    >
      <Shape size={18} stroke={1.6} aria-hidden />
      {props.children}
      {props.count === undefined ? null : (
        <span className="nav-count">{props.count.toLocaleString()}</span>
      )}
    </Link>
  );
}

/** What must be seen on every page of such an account. */
function AccountMarks({ current: { account } }: { current: Current }) {
  return (
    <>
      {account.environment === "test" ? (
        <div className="test-bar" role="note">
          <IconFlask size={16} aria-hidden />
          <span>
            <strong>Test account.</strong> Identification, prices and the marketplace are simulated.
          </span>
        </div>
      ) : null}
      {account.status === "suspended" ? (
        <div className="test-bar" role="note">
          <IconLock size={16} aria-hidden />
          <span>
            <strong>This account is suspended.</strong> You can look, and change nothing.
          </span>
        </div>
      ) : null}
    </>
  );
}

/** Asks for the password over the page, so that nothing typed on it is lost. */
function SessionDialog({ email }: { email: string }) {
  const hasEnded = useSessionEnded();
  return (
    <Modal
      opened={hasEnded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Your session has ended"
    >
      <Text mb="sm">Sign in to go on. What you typed is still there.</Text>
      <SignInForm email={email} onSignedIn={() => void queryClient.invalidateQueries()} />
    </Modal>
  );
}
