import type { Card } from "@cardvault/contract";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { OwnTextsForm } from "../../parts/listing-texts/own-texts-form.tsx";

/** How the card's listings are written, where that is not as its batch or the account says: a live one too. */
export function TextsButton({ card }: { card: Card }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Listing texts…
      </Button>
      <Modal opened={isOpen} onClose={close} size="xl" title="Listing texts of this card">
        {isOpen ? (
          <OwnTextsForm
            of={{ card_id: card.id }}
            above={aboveCard(card)}
            card={card}
            cancel="Cancel"
            onClose={close}
          />
        ) : null}
      </Modal>
    </>
  );
}

/** Whose templates hold where the card has none of its own. */
export function aboveCard({ batch_id: batch }: Pick<Card, "batch_id">): string {
  return batch === null ? "the account's" : "the usual";
}
