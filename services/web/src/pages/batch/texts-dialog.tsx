import type { Batch } from "@cardvault/contract";
import { Modal } from "@mantine/core";
import { OwnTextsForm } from "../../parts/listing-texts/own-texts-form.tsx";

/** How listings of the batch's cards are titled and described, where that is not as the account says. */
export function TextsDialog(props: { batch: Batch; opened: boolean; onClose: () => void }) {
  const { batch, opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} size="xl" title={`Listing texts of ${batch.name}`}>
      {opened ? (
        <OwnTextsForm
          of={{ batch_id: batch.id }}
          above="the account's"
          cancel="Cancel"
          onClose={onClose}
        />
      ) : null}
    </Modal>
  );
}
