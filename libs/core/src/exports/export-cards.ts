import type { Card, CardExport } from "@cardvault/contract";
import { eachSelectedCard } from "@cardvault/db";
import { createListWriter } from "@cardvault/exchange";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

/** What a download is called, and what it is. */
export function exportFile(
  { format, layout }: CardExport,
  now: Date,
): { name: string; contentType: string } {
  const day = now.toISOString().slice(0, 10);
  const tool = format === "csv" && layout !== "cardvault" ? `-${layout.replaceAll("_", "-")}` : "";
  const contentType = {
    csv: "text/csv; charset=utf-8; header=present",
    json: "application/json; charset=utf-8",
    ndjson: "application/x-ndjson; charset=utf-8",
  }[format];
  return { name: `cards${tool}-${day}.${format}`, contentType };
}

/**
 * Writes a selection of cards as a file, all of them as they were at one moment.
 * @param write is given the next piece of text, and is waited for
 */
export async function exportCards(
  { db, photoUrls }: Pick<Services, "db" | "photoUrls">,
  { accountId }: Pick<Access, "accountId">,
  { selection, ...form }: CardExport,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let writer: FileWriter | undefined;
  await eachSelectedCard(db, accountId, selection, photoUrls.urlOf, async (cards, account) => {
    const head = writer === undefined;
    writer ??= writerOf(form, account.currency);
    await write((head ? writer.head : "") + writer.cards(cards));
  });
  if (writer !== undefined && writer.tail !== "") await write(writer.tail);
}

interface FileWriter {
  head: string;
  cards(cards: readonly Card[]): string;
  tail: string;
}

function writerOf(form: Omit<CardExport, "selection">, currency: string): FileWriter {
  if (form.format === "csv") {
    const list = createListWriter(form.layout, { currency, withIds: form.with_ids });
    return {
      head: list.head,
      cards: (cards) => cards.map((card) => list.line(card)).join(""),
      tail: "",
    };
  }
  if (form.format === "ndjson") {
    return {
      head: "",
      cards: (cards) => cards.map((card) => `${JSON.stringify(card)}\n`).join(""),
      tail: "",
    };
  }
  let isFirst = true;
  return {
    head: "[",
    cards: (cards) => {
      const text = cards.map((card) => JSON.stringify(card)).join(",\n");
      const separator = isFirst || text === "" ? "" : ",\n";
      isFirst &&= text === "";
      return separator + text;
    },
    tail: "]\n",
  };
}
