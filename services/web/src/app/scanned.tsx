import type { ScanFind } from "@cardvault/contract";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { isModalOpen } from "./jump-keys.ts";
import { problemOf } from "./problem.ts";
import { takeScans } from "./scan-keys.ts";
import { trpcClient } from "./trpc.ts";

/** Pages that are left without losing anything: a scanned card is opened from there at once. */
const leftFreely = /^\/(sales|inventory(\/batches|\/(?!bulk-edit$)[^/]+|\/batches\/[^/]+)?)?$/;
const shownMs = 10_000;

/** Says what a scan was, on every page that is not there for scans, and opens the card. */
export function useScansEverywhere(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let latest = 0;
    async function lookUp(text: string): Promise<void> {
      latest += 1;
      const own = latest;
      try {
        const found = await trpcClient.scans.find.query({ text });
        if (own === latest) tell(text, found);
      } catch (error) {
        const { message } = problemOf(error);
        if (own === latest) say(`${text} was scanned, and not looked up. ${message}`);
      }
    }
    function tell(text: string, { cards, place }: ScanFind): void {
      const [first, second] = cards;
      if (first === undefined) {
        if (place === null) say(`No card has the code ${text}.`);
        else {
          say(`${text} is the place ${place}. Scan it on Move, and cards are put there.`, {
            words: "Its cards",
            act: () => void navigate({ to: "/inventory", search: { location: [place] } }),
          });
        }
        return;
      }
      if (second !== undefined) {
        say(`${cards.length} cards have the code ${text}.`, {
          words: "Show them",
          act: () => void navigate({ to: "/inventory", search: { search: text } }),
        });
        return;
      }
      const { id, title, sku, location } = first.card;
      const open = () => void navigate({ to: "/inventory/$id", params: { id } });
      const name = title ?? sku ?? "a card that is not identified";
      const path = globalThis.location.pathname;
      if (path === `/inventory/${id}`) say(`${text} is this card.`);
      else if (leftFreely.test(path) && !isModalOpen()) open();
      else {
        const where = location === null ? "without a place" : `at ${location}`;
        say(`${text} is ${name}, ${where}.`, { words: "Open", act: open });
      }
    }
    return takeScans({
      current: {
        onScan: (text) => {
          if (isModalOpen()) say(`${text} was scanned. Close what is open, and scan it again.`);
          else void lookUp(text);
        },
        onUnfinished: (text) =>
          say(`${text} came as fast as a scan, without the Enter at its end. Nothing was done.`),
        isForScans: false,
      },
    });
  }, [navigate]);
}

let serial = 0;

/** The latest scan is what one looks for: what was said of the one before it goes. */
function say(message: string, action?: { words: string; act: () => void }): void {
  notifications.hide(`scan-${serial}`);
  serial += 1;
  const id = `scan-${serial}`;
  notifications.show({
    id,
    autoClose: shownMs,
    message: (
      <div className="undo-toast">
        <span className="wrap">{message}</span>
        {action === undefined ? null : (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              action.act();
            }}
          >
            {action.words}
          </Button>
        )}
      </div>
    ),
  });
}
