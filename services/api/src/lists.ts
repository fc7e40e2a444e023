import { once } from "node:events";
import { PassThrough } from "node:stream";
import multipart from "@fastify/multipart";
import {
  accountHeader,
  cardExport,
  maxImportBytes,
  salesExport,
  validationDetails,
  VaultError,
} from "@cardvault/contract";
import type { CardImport } from "@cardvault/contract";
import {
  accessOf,
  exportCards,
  exportFile,
  exportJobItems,
  exportSales,
  receiveImport,
} from "@cardvault/core";
import type { Access, Services } from "@cardvault/core";
import { isId } from "@cardvault/kit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkedContext } from "./trpc.ts";
import type { TrpcOptions } from "./trpc.ts";

/** Each holds a connection of the database, and a snapshot, for as long as its reader takes. */
const mostDownloads = 3;
/** A reader that takes nothing for so long is gone. */
const stallMs = 60_000;

/**
 * Lists as files, for sessions alone, under the procedures' own path: `POST /trpc/files/import` takes a
 * form with one file and answers the import; `GET` and `POST /trpc/files/cards` give out cards,
 * `GET /trpc/files/job-items` what became of the cards of a job, and `GET /trpc/files/sales` the ledger.
 */
export async function registerLists(scope: FastifyInstance, options: TrpcOptions): Promise<void> {
  const { services } = options;
  let downloads = 0;
  scope.addHook("onRequest", async (_request, reply) => {
    void reply.header("cache-control", "no-store");
  });
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: { files: 1, fileSize: maxImportBytes + 1, fields: 0 },
  });
  scope.post("/import", (request) => receive(options, request));
  const download = async (
    request: FastifyRequest,
    reply: FastifyReply,
    open: (access: Access) => Download,
  ) => {
    const file = open(await accessFor(options, request, { isLook: true }));
    if (downloads >= mostDownloads) {
      const message = "Other downloads are running. Try again later.";
      throw new VaultError("service_unavailable", { message, retryAfterSeconds: 10 });
    }
    downloads += 1;
    return send(file, reply, () => (downloads -= 1));
  };
  const cards = (wanted: unknown) => (access: Access) => cardsFile(services, access, wanted);
  scope.get("/cards", (request, reply) => download(request, reply, cards(ofQuery(request.query))));
  scope.post("/cards", (request, reply) => download(request, reply, cards(request.body)));
  scope.get("/job-items", (request, reply) =>
    download(request, reply, (access) => jobItemsFile(services, access, request.query)),
  );
  scope.get("/sales", (request, reply) =>
    download(request, reply, (access) => salesFile(services, access, request.query)),
  );
}

/** A link cannot name its account in a header: `?account=acc_…` says it then. */
async function accessFor(
  options: TrpcOptions,
  request: FastifyRequest,
  { isLook = false }: { isLook?: boolean } = {},
): Promise<Access> {
  const { account } = request.query as { account?: unknown };
  if (typeof account === "string") request.headers[accountHeader.toLowerCase()] ??= account;
  const { principal } = await checkedContext(options, request);
  if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
  if (principal.kind === "person") throw new VaultError("not_found");
  if (principal.isSuspended && !isLook) throw new VaultError("account_suspended");
  return accessOf(principal);
}

async function receive(options: TrpcOptions, request: FastifyRequest): Promise<CardImport> {
  const access = await accessFor(options, request);
  if (!request.isMultipart()) {
    const message = "A list is sent as a form: multipart/form-data.";
    throw new VaultError("unsupported_media_type", { message });
  }
  try {
    const file = await request.file();
    if (file === undefined)
      throw new VaultError("validation_failed", { message: "The form has no file." });
    return await receiveImport(options.services, access, { name: file.filename, bytes: file.file });
  } catch (error) {
    if (error instanceof VaultError) throw error;
    if (!String((error as { code?: unknown }).code).startsWith("FST_")) throw error;
    const message = "The form is broken, or has more than one file.";
    throw new VaultError("validation_failed", { message, cause: error });
  }
}

/** In an address the selection is JSON, and everything else a word. */
function ofQuery(query: unknown): unknown {
  const { account: _account, selection, with_ids, ...rest } = query as Record<string, unknown>;
  return {
    ...rest,
    selection: selection === undefined ? { filter: {} } : parsed(selection),
    ...(with_ids === undefined ? {} : { with_ids: yesOrNo(with_ids) }),
  };
}

/** What is neither is left to the schema, which refuses it. */
function yesOrNo(word: unknown): unknown {
  if (word === "true") return true;
  return word === "false" ? false : word;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    const details = [{ path: "selection", message: "Must be JSON" }];
    throw new VaultError("validation_failed", { details, cause });
  }
}

type Parsed<Value> =
  | { success: true; data: Value }
  | { success: false; error: Parameters<typeof validationDetails>[0] };

function inputOf<Value>(
  schema: { safeParse(wanted: unknown): Parsed<Value> },
  wanted: unknown,
): Value {
  const result = schema.safeParse(wanted);
  if (result.success) return result.data;
  const { error } = result;
  throw new VaultError("validation_failed", { details: validationDetails(error), cause: error });
}

interface Download {
  name: string;
  contentType: string;
  write: (to: (text: string) => Promise<void>) => Promise<void>;
}

function cardsFile(services: Services, access: Access, wanted: unknown): Download {
  const input = inputOf(cardExport, wanted);
  return {
    ...exportFile(input, services.clock.now()),
    write: (to) => exportCards(services, access, input, to),
  };
}

function jobItemsFile(services: Services, access: Access, query: unknown): Download {
  const { job } = query as { job?: unknown };
  const id = typeof job === "string" && isId("job", job) ? job : null;
  if (id === null) throw new VaultError("not_found");
  return {
    name: `${id}.csv`,
    contentType: "text/csv; charset=utf-8; header=present",
    write: (to) => exportJobItems(services, access, id, to),
  };
}

function salesFile({ db, clock }: Services, access: Access, query: unknown): Download {
  const { account: _account, ...filters } = query as Record<string, unknown>;
  const input = inputOf(salesExport, filters);
  return {
    name: `sales-${clock.now().toISOString().slice(0, 10)}.csv`,
    contentType: "text/csv; charset=utf-8; header=present",
    write: (to) => exportSales({ db }, access, input, to),
  };
}

/** Sends rows as they are read, no faster than they are taken. What fails before the first byte is an answer. */
async function send(
  { name, contentType, write: writeAll }: Download,
  reply: FastifyReply,
  ended: () => void,
): Promise<FastifyReply> {
  const stream = new PassThrough();
  const gone = new AbortController();
  const begun = Promise.withResolvers<void>();
  stream.on("close", () => gone.abort());
  stream.on("error", (error) => reply.log.warn({ err: error }, "A download broke off"));
  const write = async (text: string): Promise<void> => {
    begun.resolve();
    gone.signal.throwIfAborted();
    if (stream.write(text)) return;
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(stallMs)]);
    await once(stream, "drain", { signal });
  };
  void writeAll(write)
    .then(
      () => stream.end(),
      (error: unknown) => {
        begun.reject(error);
        stream.destroy(error instanceof Error ? error : new Error("The download failed"));
      },
    )
    .finally(ended);
  await begun.promise;
  return reply
    .type(contentType)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(stream);
}
