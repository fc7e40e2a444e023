import type { Current } from "@cardvault/contract";
import { AppShell, Burger, Group, Modal, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import {
  IconAlertCircle,
  IconApi,
  IconBook2,
  IconBuildingStore,
  IconCards,
  IconFileImport,
  IconFlask,
  IconHome,
  IconKey,
  IconListDetails,
  IconLock,
  IconPlugConnected,
  IconScan,
  IconStack2,
  IconTags,
  IconTimelineEvent,
  IconUserCheck,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { Fragment, useEffect } from "react";
import { Wordmark } from "../look/wordmark.tsx";
import { SignInForm } from "../pages/sign-in.tsx";
import { useAccountId } from "./account.ts";
import { AccountSwitcher } from "./account-switcher.tsx";
import { HelpDialog } from "./help.tsx";
import { useLive } from "./live.ts";
import { LiveMark } from "./live-mark.tsx";
import { forgetJobs } from "./jobs.ts";
import { JobTray } from "./job-tray.tsx";
import { useIsRoute, useJumpKeys } from "./jump-keys.ts";
import { placesFor } from "./navigation.ts";
import type { Place } from "./navigation.ts";
import { NoticeBell } from "./notices.tsx";
import { PaletteKey } from "./palette-key.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { forgetUndo, useUndoKeys } from "../parts/undo.tsx";
import { useScansEverywhere } from "./scanned.tsx";
import { useSessionEnded } from "./session-ended.ts";
import { queryClient, trpc } from "./trpc.ts";

const overviewRefreshMs = 30_000;

/** What was done in one account, or before somebody signed out, is not taken back in another. */
function forgetDone(): void {
  forgetUndo();
  forgetJobs();
}

/** What stands on every page of somebody who is signed in. */
export function Shell() {
  const accountId = useAccountId();
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const [isOpen, menu] = useDisclosure();
  useJumpKeys();
  useUndoKeys();
  useScansEverywhere();
  useLive(accountId);
  useEffect(() => forgetDone, []);
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
        <JobTray />
        <LiveMark />
        <PersonMenu user={current.user} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className="shell-main">
        <AccountMarks current={current} />
        <Outlet key={accountId} />
      </AppShell.Main>
      <HelpDialog current={current} />
      <PaletteKey current={current} />
      <SessionDialog email={current.user.email} />
    </AppShell>
  );
}

function Navigation({ current, onChosen }: { current: Current; onChosen: () => void }) {
  const overview = useQuery(
    trpc.accounts.overview.queryOptions(undefined, { refetchInterval: overviewRefreshMs }),
  );
  const isRoute = useIsRoute();
  const counts: Record<string, { count: number; tone: "bad" | "quiet" }> = {
    "/events/dropped": { count: overview.data?.dropped_events ?? 0, tone: "bad" },
    "/review": { count: overview.data?.needs_review ?? 0, tone: "quiet" },
  };
  return (
    <nav aria-label="Main">
      {placesFor(current, isRoute).map(({ heading, places }) => (
        <Fragment key={heading}>
          {heading === null ? null : <p className="nav-heading">{heading}</p>}
          {places.map((place) => (
            <NavLink key={place.to} place={place} onChosen={onChosen} {...counts[place.to]} />
          ))}
        </Fragment>
      ))}
    </nav>
  );
}

const icons: Record<string, Icon> = {
  "/": IconHome,
  "/inventory": IconCards,
  "/inventory/batches": IconStack2,
  "/import": IconFileImport,
  "/review": IconUserCheck,
  "/move": IconScan,
  "/sales": IconBuildingStore,
  "/events": IconTimelineEvent,
  "/events/dropped": IconAlertCircle,
  "/settings/api": IconKey,
  "/settings/webhooks": IconWebhook,
  "/docs/guides": IconBook2,
  "/docs": IconApi,
  "/settings/account": IconUsers,
  "/settings/inventory": IconTags,
  "/settings/integrations": IconPlugConnected,
  "/jobs": IconListDetails,
};

/** A page above others in the navigation is not where one is while one of those is shown. */
const exact = new Set(["/", "/inventory", "/events"]);

function NavLink(props: {
  place: Place;
  count?: number;
  tone?: "bad" | "quiet";
  onChosen: () => void;
}) {
  const { to, words, key } = props.place;
  const Shape = icons[to] ?? IconCards;
  return (
    <Link
      to={to}
      className="nav-link"
      activeOptions={{ exact: exact.has(to), includeSearch: false }}
      title={`g then ${key}`}
      onClick={props.onChosen}
    >
      <Shape size={18} stroke={1.6} aria-hidden />
      {words}
      {props.count === undefined || props.count === 0 ? null : (
        <span className="nav-count" data-tone={props.tone}>
          {props.count.toLocaleString()}
        </span>
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
