import {
  mappingDeleteInput,
  mappingListAnswer,
  mappingSaveInput,
  VaultError,
} from "@cardvault/contract";
import { deleteMapping, getImport, listMappings, saveMapping } from "@cardvault/db";
import * as z from "zod";
import { session } from "../procedures.ts";
import { requireMapping } from "./preview-import.ts";

export const listMappingsProcedure = session()
  .output(mappingListAnswer)
  .query(async ({ ctx }) => {
    const saved = await listMappings(ctx.services.db, ctx.access.accountId);
    return {
      data: saved.map(({ updatedAt, ...rest }) => ({
        ...rest,
        updated_at: updatedAt.toISOString(),
      })),
    };
  });

/** Keeps a mapping for the headers of an import, in the place of the one that they had. */
export const saveMappingProcedure = session()
  .input(mappingSaveInput)
  .output(z.strictObject({ signature: z.string() }))
  .mutation(async ({ ctx, input: { import_id, name, mapping } }) => {
    const { db, clock } = ctx.services;
    const { reading } = await getImport(db, ctx.access.accountId, import_id);
    if (reading === null) throw new VaultError("not_found");
    requireMapping(mapping, reading.headers.length);
    const { signature } = reading;
    const saved = { signature, name, mapping, updatedAt: clock.now() };
    await saveMapping(db, ctx.access.accountId, saved);
    return { signature };
  });

/** @throws VaultError `not_found` */
export const deleteMappingProcedure = session()
  .input(mappingDeleteInput)
  .mutation(({ ctx, input }) =>
    deleteMapping(ctx.services.db, ctx.access.accountId, input.signature),
  );
