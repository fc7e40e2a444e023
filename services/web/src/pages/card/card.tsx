import "./card.css";
import type { Card, WorkflowStatus } from "@cardvault/contract";
import { Button, Menu, NativeSelect, Skeleton, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { IconDots, IconEyeCheck } from "@tabler/icons-react";
import { useState } from "react";
import { usePageKeys } from "../../app/page-keys.ts";
import type { PageKeys } from "../../app/page-keys.ts";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { reviewReasonWords } from "../../parts/candidates-words.ts";
import { useChoice } from "../../parts/choice.ts";
import { Chip, WorkflowChip } from "../../parts/chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LabelsDialog } from "../../parts/labels-dialog.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { usePageTitle } from "../../parts/page.tsx";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { stagesFrom } from "../../parts/stages.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { workflowWords } from "../../parts/words.ts";
import { IdentityFields, StockFields } from "./fields.tsx";
import { Identification, useIdentifications } from "./identification.tsx";
import { Listings } from "./listings.tsx";
import { Photos } from "./photos.tsx";
import { Prices } from "./prices.tsx";
import { HandSales } from "./sales.tsx";
import { ChangeNote, useCardChange } from "./card-change.tsx";
import type { MemberValue } from "./save-card.ts";
import { changesOf, Timeline, useHistory } from "./timeline.tsx";
import { Walk } from "./walk.tsx";

const cardKeys: PageKeys = [
  { keys: ["["], words: "The card before, in the same list" },
  { keys: ["]"], words: "The card behind, in the same list" },
  { keys: ["Tab", "Enter"], words: "Edit a field; Enter saves, Esc gives up" },
];

/** One card with all that is known of it, edited where it stands. */
export function CardPage() {
  const { id } = useParams({ from: "/inside/inventory/$id" });
  const card = useQuery(trpc.cards.get.queryOptions({ id }));
  usePageKeys(cardKeys);
  usePageTitle(titleOf(card.data));
  return (
    <div className="page card-page">
      {card.data === undefined ? (
        <Title order={1} className="visually-hidden">
          Card
        </Title>
      ) : null}
      {card.data !== undefined ? (
        // A card that is walked to is another one: nothing typed for this one is carried there.
        <Content key={id} card={card.data} />
      ) : card.isPending ? (
        <CardSkeleton />
      ) : problemOf(card.error).code === "card_not_found" ? (
        <NoSuchCard />
      ) : (
        <div className="panel">
          <ProblemPanel error={card.error} what="The card" onRetry={() => void card.refetch()} />
        </div>
      )}
    </div>
  );
}

function titleOf(card: Card | undefined): string {
  if (card === undefined) return "Card";
  const name = card.title ?? card.sku ?? "Card that is not identified";
  const number = card.number?.split("/")[0];
  return number === undefined ? name : `${name} #${number}`;
}

function Content({ card }: { card: Card }) {
  const { data: current } = useSuspenseQuery(trpc.accounts.current.queryOptions());
  const { currency } = current.account;
  const history = useHistory(card.id);
  const records = useIdentifications(card.id);
  const changes = changesOf(history);
  const applied = records.data?.data.find(({ status }) => status === "applied");
  const common = { card, currency, changes, record: applied };
  // As it was when the page was opened: nothing moves under the hand.
  const [isUnknown] = useState(card.status === "imported");
  return (
    <>
      <Head card={card} />
      <Question card={card} />
      <div className="card-columns">
        <Photos card={card} />
        <div className="card-sections">
          {/* What nobody knows yet begins with the question what it is. */}
          {isUnknown ? <Identification card={card} /> : null}
          <IdentityFields {...common} />
          <StockFields {...common} />
          <Prices {...common} />
          {isUnknown ? null : <Identification card={card} />}
          <Listings card={card} />
          <HandSales card={card} currency={currency} />
          <Timeline id={card.id} history={history} />
        </div>
      </div>
    </>
  );
}

function Head({ card }: { card: Card }) {
  const search = useSearch({ from: "/inside/inventory/$id" });
  const stage = useCardChange(card, "workflow_status", stageWords);
  return (
    <div className="page-head">
      <div>
        <Link to="/inventory" search={search}>
          Inventory
        </Link>
        <Title order={1}>
          {card.title ?? <span className="card-unnamed">Card that is not identified</span>}
        </Title>
        <div className="card-head-facts">
          <WorkflowChip status={stage.shown.workflow_status} />
          {card.review_reason === null ? null : (
            <Chip tone="warning" icon={IconEyeCheck}>
              {reviewReasonWords[card.review_reason].title}
            </Chip>
          )}
          <span className="cell-sub">
            {[card.set, card.number, card.year].filter((part) => part !== null).join(" · ")}
          </span>
          <span className="cell-sub mono">{card.sku}</span>
          <span className="cell-sub">
            Changed <RelativeTime at={card.updated_at} />
          </span>
        </div>
      </div>
      <div className="card-head-side">
        <Walk id={card.id} />
        <StageField change={stage} />
        <Actions card={card} />
      </div>
    </div>
  );
}

const stageWords = {
  done: ({ workflow_status: status }: Card) => `It is ${workflowWords[status].toLowerCase()}`,
  wanted: ({ title }: Card, value: MemberValue) =>
    `Stage of ${title ?? "a card that is not identified"}: ${workflowWords[value as WorkflowStatus]}`,
};

/** Where the card stands in the work; the rules say which way it may go, and why not. */
function StageField({ change }: { change: ReturnType<typeof useCardChange> }) {
  const { shown } = change;
  const choice = useChoice(shown.workflow_status, (chosen) => change.save(chosen, shown));
  return (
    <div>
      <NativeSelect
        size="xs"
        aria-label="Stage"
        data={stagesFrom(shown.workflow_status).map((value) => ({
          value,
          label: workflowWords[value],
        }))}
        {...choice}
      />
      <ChangeNote
        change={change}
        name="workflow_status"
        valueOf={({ workflow_status: status }) =>
          status === undefined ? null : workflowWords[status]
        }
      />
    </div>
  );
}

function Actions({ card }: { card: Card }) {
  const [isPrinting, setIsPrinting] = useState(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" px={8} aria-label="Actions">
            <IconDots size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setIsPrinting(true)}>Print a label</Menu.Item>
          <Menu.Item onClick={() => void copyId(card.id)}>Copy the card's id</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LabelsDialog
        title="Print a label"
        subjects={isPrinting ? { type: "cards", selection: { ids: [card.id] } } : null}
        onClose={() => setIsPrinting(false)}
      />
    </>
  );
}

/** Pages that are not served over HTTPS have no clipboard, and a browser may refuse it. */
async function copyId(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    notifications.show({ message: "The card's id is copied." });
  } catch {
    notifications.show({
      autoClose: false,
      title: "The browser gives no clipboard here: copy it by hand",
      message: <span className="mono card-id">{id}</span>,
    });
  }
}

/** What a person has to decide, where something is to be decided. */
function Question({ card }: { card: Card }) {
  const reason = card.review_reason;
  if (reason === null) return null;
  const { title, text } = reviewReasonWords[reason];
  const isAboutCopies = reason === "oversold" || reason === "order_cancelled";
  return (
    <div className="panel card-question" role="note">
      <Chip tone="warning" icon={IconEyeCheck}>
        {title}
      </Chip>
      <span className="wrap">{text}</span>
      {isAboutCopies ? <SettleCopies card={card} /> : <a href="#identification">Its candidates</a>}
    </div>
  );
}

/** The question about copies is answered: those of a cancelled order are back, or what was oversold is there. */
function SettleCopies({ card }: { card: Card }) {
  const settle = useMutation(
    trpc.sales.settleCopies.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id: card.id })),
    }),
  );
  return (
    <>
      <a href="#sales">Its sales</a>
      <Button
        size="compact-xs"
        variant="default"
        loading={settle.isPending}
        onClick={() => settle.mutate({ card_id: card.id, version: card.version })}
      >
        {card.review_reason === "oversold" ? "It is settled" : "It is back in its place"}
      </Button>
      <ProblemNote error={settle.error} />
    </>
  );
}

function NoSuchCard() {
  return (
    <div className="panel">
      <EmptyState
        title="There is no such card"
        action={<LinkButton to="/inventory">See the inventory</LinkButton>}
      >
        It is not in this account. Perhaps it is in another one that you work in.
      </EmptyState>
    </div>
  );
}

function CardSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <div className="page-head">
        <div>
          <Skeleton height={14} width={64} mb={8} />
          <Skeleton height={26} width={320} mb={8} />
          <Skeleton height={16} width={240} />
        </div>
      </div>
      <div className="card-columns">
        <div className="photo-frame">
          <Skeleton height="100%" />
        </div>
        <div className="card-sections">
          <Skeleton height={300} />
          <Skeleton height={180} />
          <Skeleton height={260} />
        </div>
      </div>
    </div>
  );
}
