import type { CardSelection, PreviewPublish } from "@cardvault/contract";
import { Modal, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc, trpcClient } from "../../../app/trpc.ts";
import { formatAmount } from "../../../parts/money.ts";
import { ProblemPanel } from "../../../parts/problem-panel.tsx";
import { counted } from "../../../parts/words.ts";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

const shownRows = 50;

/** Which of the cards can be published and as what, and every rule that keeps the others from it. */
export function PublishDialog(props: TaskProps & { selection: CardSelection }) {
  const { selection } = props;
  const preview = useQuery({
    // Asked by a mutation, because a selection may be larger than an address.
    queryKey: [...trpc.listings.previewPublish.mutationKey(), selection],
    queryFn: ({ signal }): Promise<PreviewPublish> =>
      trpcClient.listings.previewPublish.mutate({ selection, rows: shownRows }, { signal }),
    staleTime: 0,
  });
  const publishable = preview.data?.totals.publishable ?? 0;
  return (
    <Modal opened onClose={props.onClose} size="xl" title={`Publish ${props.what}`}>
      <Stack gap="md">
        {preview.data === undefined ? (
          preview.isError ? (
            <ProblemPanel
              error={preview.error}
              what="The preview"
              onRetry={() => void preview.refetch()}
            />
          ) : (
            <Skeleton height={240} aria-busy="true" />
          )
        ) : (
          <Preview preview={preview.data} />
        )}
        <TaskFoot
          confirm={`Publish ${counted(publishable, "card")}`}
          isReady={publishable > 0}
          isPending={props.isPending}
          error={props.error}
          onConfirm={() => props.onStart({ type: "publish_listings" })}
          onClose={props.onClose}
        />
      </Stack>
    </Modal>
  );
}

function Preview({
  preview: { totals, rows, is_complete: isComplete },
}: {
  preview: PreviewPublish;
}) {
  return (
    <>
      <output>
        {`${counted(totals.publishable, "card")} can be published. `}
        {totals.already_listed === 0
          ? ""
          : `${counted(totals.already_listed, "card")} listed already. `}
        {totals.failed === 0 ? "" : `${counted(totals.failed, "card")} cannot, and stay:`}
        {isComplete ? "" : " Of the first cards of the selection."}
      </output>
      {totals.rules.length === 0 ? null : (
        <ul className="publish-rules">
          {totals.rules.map(({ path, message, cards }) => (
            <li key={`${path} ${message}`}>
              {message} <span className="cell-sub">{counted(cards, "card")}</span>
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? null : <Rows rows={rows} />}
    </>
  );
}

function Rows({ rows }: Pick<PreviewPublish, "rows">) {
  const currency = rows.find(({ price }) => price !== null)?.price?.currency;
  return (
    <div className="publish-rows">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Listed as</th>
            <th scope="col" className="number">
              {currency === undefined ? "Price" : `Price, ${currency}`}
            </th>
            <th scope="col">What is missing</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ card, title, price, problems }) => (
            <tr key={card.id}>
              <td className="wrap">
                <Link to="/inventory/$id" params={{ id: card.id }}>
                  {title}
                </Link>
              </td>
              <td className="number">{price === null ? null : formatAmount(price)}</td>
              <td className="wrap">
                {problems.map(({ path, message }) => (
                  <span key={`${path} ${message}`} className="cell-sub">
                    {message}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
