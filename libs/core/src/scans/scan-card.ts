import { scanAnswer, scanInput, VaultError } from "@cardvault/contract";
import type { ScanAnswer, ScanInput } from "@cardvault/contract";
import {
  changeAccount,
  findRunLocation,
  findScan,
  findScannedCards,
  findScannedPlace,
  insertScan,
  readRun,
  scanAnswers,
  scannedCard,
} from "@cardvault/db";
import type { AccountUnit, Queryable, StoredScan } from "@cardvault/db";
import { decideScan } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { putAt } from "./put-at.ts";

/**
 * Takes a scan in: a place, or a card that is put where the run is. The scan, the move and its history are
 * one commit, and the scan's id lets it happen once.
 * @throws VaultError `not_found` for an unknown run; `conflict` for an id that another scan has, and for a
 * card before any place
 */
function takeScan(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  input: ScanInput,
): Promise<ScanAnswer> {
  const { accountId } = access;
  const by = { actor: access.actor, via: "scan" } as const;
  return changeAccount(db, { accountId, clock, by }, async (unit) => {
    const location = await findRunLocation(unit.tx, accountId, input.run_id);
    const known = await findScan(unit.tx, accountId, input.scan_id);
    if (known !== null && (known.runId !== input.run_id || known.text !== input.text)) {
      throw new VaultError("conflict", { message: "Another scan has this id." });
    }
    const scan = known ?? (await newScan({ db, access, unit }, input, location));
    await unit.tx.em.flush();
    return answerOf(unit.tx, accountId, scan);
  });
}

type NewScan = Parameters<typeof insertScan>[2];

async function newScan(
  { db, access, unit }: { db: Services["db"]; access: Access; unit: AccountUnit },
  { run_id: runId, scan_id: id, text }: ScanInput,
  location: string | null,
): Promise<StoredScan> {
  const { tx, accountId, stamp } = unit;
  const common = { id, runId, text, candidateIds: [], createdAt: stamp };
  const write = (scan: Pick<NewScan, "outcome" | "location" | "fromLocation" | "cardId">) =>
    insertScan(tx, accountId, { ...common, ...scan });
  const place = await findScannedPlace(tx, accountId, text);
  if (place !== null) {
    return write({ outcome: "place", location: place, fromLocation: location, cardId: null });
  }
  if (location === null) throw new VaultError("conflict", { message: "Scan a place first." });
  const found = await findScannedCards(tx, accountId, text);
  const { outcome, card } = decideScan(
    found.map((one) => scannedCard(one.card)),
    location,
  );
  if (card === null) {
    const candidateIds = found.map((one) => one.card.id);
    const scan = { outcome, location, fromLocation: null, cardId: null };
    return insertScan(tx, accountId, { ...common, ...scan, candidateIds });
  }
  if (outcome === "moved") await putAt({ db, access, unit }, card.id, location);
  return write({ outcome, location, fromLocation: card.location, cardId: card.id });
}

/** A scan beside its run, as they are in this transaction. */
export async function answerOf(
  tx: Queryable,
  accountId: string,
  stored: StoredScan,
): Promise<ScanAnswer> {
  const [scan] = await scanAnswers(tx, accountId, [stored]);
  if (scan === undefined) throw new VaultError("internal_error");
  return { scan, run: await readRun(tx, accountId, stored.runId) };
}

export const scanProcedure = session()
  .input(scanInput)
  .output(scanAnswer)
  .mutation(({ ctx, input }) => takeScan(ctx.services, ctx.access, input));
