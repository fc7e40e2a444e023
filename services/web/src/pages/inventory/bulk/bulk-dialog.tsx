import type { BulkAction, CardSelection } from "@cardvault/contract";
import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { followJob } from "../../../app/jobs.ts";
import { trpc } from "../../../app/trpc.ts";
import { LabelsDialog } from "../../../parts/labels-dialog.tsx";
import { useRequestKey } from "../../../parts/request-key.ts";
import { counted } from "../../../parts/words.ts";
import { MoveCardsDialog } from "../../batch/move-cards-dialog.tsx";
import type { BulkTask } from "../bulk-bar.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { BatchDialog } from "./batch-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { FieldsDialog } from "./fields-dialog.tsx";
import { IdentifyDialog } from "./identify-dialog.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { StageDialog } from "./stage-dialog.tsx";

/** What every dialog of a bulk task is given. */
export interface TaskProps {
  /** `12 cards`, or `these cards` where nobody knows how many. */
  what: string;
  isPending: boolean;
  error: unknown;
  onStart: (action: BulkAction) => void;
  onClose: () => void;
}

/** The dialog of a task over a selection; what it begins is one job, with progress and undo. */
export function BulkDialog(props: {
  task: Exclude<BulkTask, "sheet">;
  selection: CardSelection;
  count: number | null;
  currency: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const { task, selection, count, currency, onClose, onDone } = props;
  const key = useRequestKey();
  const start = useMutation(
    trpc.bulk.start.mutationOptions({
      onSuccess(job) {
        key.forget();
        followJob(job);
        onDone();
      },
    }),
  );
  const what = count === null ? "these cards" : counted(count, "card");
  const shared: TaskProps = {
    what,
    isPending: start.isPending,
    error: start.error,
    onStart(action) {
      const request = { selection, action };
      start.mutate({ ...request, idempotency_key: key.keyFor(request) });
    },
    onClose,
  };
  switch (task) {
    case "identify":
      return <IdentifyDialog {...shared} />;
    case "lookup":
      return (
        <AskDialog
          {...shared}
          title="Look up prices"
          confirm={`Look up ${what}`}
          action={{ type: "lookup_prices" }}
        >
          The price sources are asked for each card, and what they suggest becomes its market price.
          Asking prices stay as they are.
        </AskDialog>
      );
    case "price":
      return <PriceDialog {...shared} selection={selection} currency={currency} />;
    case "publish":
      return <PublishDialog {...shared} selection={selection} />;
    case "move":
      return (
        <MoveCardsDialog
          opened
          what={what}
          isPending={start.isPending}
          error={start.error}
          onMove={(location) => shared.onStart({ type: "move", location })}
          onClose={onClose}
        />
      );
    case "stage":
      return <StageDialog {...shared} />;
    case "batch":
      return <BatchDialog {...shared} />;
    case "fields":
      return <FieldsDialog {...shared} currency={currency} />;
    case "export":
      return <ExportDialog what={what} selection={selection} onClose={onClose} />;
    case "labels":
      return (
        <LabelsDialog
          subjects={{ type: "cards", selection }}
          title={`Labels for ${what}`}
          onClose={onClose}
        />
      );
    case "archive":
      return (
        <AskDialog
          {...shared}
          title={`Archive ${what}`}
          confirm="Archive"
          action={{ type: "set_status", workflow_status: "archived" }}
        >
          <Text>
            Archived cards leave the lists that one works in. A card with a listing that is live or
            publishing stays, and is named.
          </Text>
        </AskDialog>
      );
  }
}
