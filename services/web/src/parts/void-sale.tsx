import type { HandSale } from "@cardvault/contract";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../app/trpc.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { counted } from "./words.ts";

/** Asks before a sale by hand is made void: nothing makes it count again. Open while there is a sale. */
export function VoidSaleDialog(props: {
  sale: Pick<HandSale, "id" | "quantity"> | null;
  /** To read anew what the sale has changed. */
  onVoided: () => Promise<void>;
  onClose: () => void;
}) {
  const { sale, onVoided, onClose } = props;
  const voidSale = useMutation(
    trpc.cards.voidSale.mutationOptions({
      onSuccess: async () => {
        onClose();
        await onVoided();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened={sale !== null}
      title="Void this sale"
      confirm="Void the sale"
      isPending={voidSale.isPending}
      error={voidSale.error}
      onConfirm={() => {
        if (sale !== null) voidSale.mutate({ id: sale.id });
      }}
      onClose={() => {
        voidSale.reset();
        onClose();
      }}
    >
      {sale === null
        ? null
        : `${counted(sale.quantity, "copy comes", "copies come")} back. The sale stays written down, as void.`}
    </ConfirmDialog>
  );
}
