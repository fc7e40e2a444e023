import type { SalesListing } from "@cardvault/contract";
import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { EndDialog } from "./end-dialog.tsx";
import { tellProblem } from "../../parts/tell-problem.tsx";
import { refreshSales } from "./refresh-sales.ts";
import { ReviseDialog } from "./revise-dialog.tsx";

/** What can be done to one listing; in a test account what its buyers and eBay do, too. */
export function ListingMenu({ row, isTest }: { row: SalesListing; isTest: boolean }) {
  const { listing } = row;
  const [isRevising, setIsRevising] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const { id, status } = listing;
  async function act(said: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
      notifications.show({ message: said });
      await refreshSales();
    } catch (error) {
      tellProblem(error, { title: "It was not done" });
    }
  }
  const isClosed = status === "ended" || status === "sold";
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${listing.title}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === "live" ? (
            <>
              <Menu.Item onClick={() => setIsRevising(true)}>Revise…</Menu.Item>
              <Menu.Item onClick={() => setIsEnding(true)}>End…</Menu.Item>
            </>
          ) : null}
          {status === "publishing" ? (
            <Menu.Item
              onClick={() =>
                void act(
                  "Publishing is being cancelled.",
                  trpcClient.listings.cancelPublishing.mutate({ id }),
                )
              }
            >
              Cancel publishing
            </Menu.Item>
          ) : null}
          {status === "failed" ? (
            <Menu.Item
              onClick={() =>
                void act("The card is being published.", trpcClient.listings.retry.mutate({ id }))
              }
            >
              Publish again
            </Menu.Item>
          ) : null}
          {isClosed ? (
            <Menu.Item
              disabled={row.card.quantity === 0 || row.card.listing_id !== id}
              onClick={() =>
                void act(
                  "The card is being published.",
                  trpcClient.listings.publish.mutate({ cardId: row.card.id }),
                )
              }
            >
              Publish again
            </Menu.Item>
          ) : null}
          {isTest ? (
            <>
              <Menu.Divider />
              <Menu.Label>Sandbox</Menu.Label>
              <SandboxItems row={row} act={act} />
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <EndDialog
        opened={isEnding}
        rows={[row]}
        onClose={() => setIsEnding(false)}
        onDone={() => setIsEnding(false)}
      />
      <ReviseDialog
        opened={isRevising}
        rows={[row]}
        onClose={() => setIsRevising(false)}
        onDone={() => setIsRevising(false)}
      />
    </>
  );
}

function SandboxItems({
  row,
  act,
}: {
  row: SalesListing;
  act: (said: string, work: Promise<unknown>) => Promise<void>;
}) {
  const { id, status, order_id: orderId } = row.listing;
  const { sandbox } = trpcClient;
  return (
    <>
      {status === "live" || status === "ended" ? (
        <Menu.Item
          onClick={() =>
            void act("Somebody has bought a copy.", sandbox.sell.mutate({ listing_id: id }))
          }
        >
          Sell a copy
        </Menu.Item>
      ) : null}
      {status === "live" ? (
        <Menu.Item
          onClick={() => void act("eBay has ended it.", sandbox.end.mutate({ listing_id: id }))}
        >
          Ended by eBay
        </Menu.Item>
      ) : null}
      {status === "ended" || status === "sold" ? (
        <Menu.Item
          onClick={() =>
            void act("It was listed again at eBay.", sandbox.relist.mutate({ listing_id: id }))
          }
        >
          List again at eBay
        </Menu.Item>
      ) : null}
      {orderId === null ? null : (
        <Menu.Item
          onClick={() =>
            void act("The order is cancelled.", sandbox.cancelOrder.mutate({ order_id: orderId }))
          }
        >
          Cancel its last order
        </Menu.Item>
      )}
      <Menu.Item
        onClick={() => void act("eBay refuses the next card.", sandbox.failNext.mutate({}))}
      >
        Refuse the next card
      </Menu.Item>
    </>
  );
}
