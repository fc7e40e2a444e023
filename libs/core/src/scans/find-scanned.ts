import { scanFindAnswer, scanFindInput } from "@cardvault/contract";
import { findScannedCards, findScannedPlace } from "@cardvault/db";
import { session } from "../procedures.ts";

export const findScannedProcedure = session()
  .input(scanFindInput)
  .output(scanFindAnswer)
  .query(async ({ ctx: { services, access }, input: { text } }) => ({
    place: await findScannedPlace(services.db, access.accountId, text),
    cards: await findScannedCards(services.db, access.accountId, text),
  }));
