import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { MultipartFile } from "@fastify/multipart";
import { maxFilesPerUpload, VaultError } from "@cardvault/contract";
import type { UploadAnswer } from "@cardvault/contract";
import {
  accessOf,
  errorOf,
  maxPictureBytes,
  requireOpenImport,
  uploadPhoto,
  uploadsFolderOf,
} from "@cardvault/core";
import type { Access, Services } from "@cardvault/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { checkedContext } from "./trpc.ts";
import type { TrpcOptions } from "./trpc.ts";

interface UploadRoute {
  Querystring: { import?: string | string[] };
}

type FileAnswer = UploadAnswer["files"][number];

/** A file's name is only shown. */
const maxNameLength = 255;

/**
 * `POST /photos`: files of a form, each of which is answered for itself. They are written to disk as they
 * come, one after the other, so that neither a large file nor a slow client holds memory. `?import=pim_…`
 * puts them into an import of photos. For sessions alone, like every procedure.
 */
export async function registerPhotoUploads(
  scope: FastifyInstance,
  options: TrpcOptions,
): Promise<void> {
  const { services } = options;
  const folder = uploadsFolderOf(services.config);
  await mkdir(folder, { recursive: true });
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: { files: maxFilesPerUpload, fileSize: maxPictureBytes, fields: 0 },
  });
  scope.post<UploadRoute>("/photos", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    const access = await uploaderOf(options, request);
    if (!request.isMultipart()) {
      throw new VaultError("unsupported_media_type", {
        message: "Photos are sent as a form: multipart/form-data.",
      });
    }
    const importId = importOf(request.query.import);
    if (importId !== undefined) await requireOpenImport(services, access, importId);
    const files: FileAnswer[] = [];
    try {
      for await (const part of request.files()) {
        files.push(await keepPart(services, access, { part, folder, importId, request }));
      }
    } catch (error) {
      throw formError(error);
    }
    if (files.length === 0) {
      throw new VaultError("validation_failed", { message: "The form has no files." });
    }
    const answer: UploadAnswer = { files };
    return answer;
  });
}

/** The same checks as for a procedure that changes something. */
async function uploaderOf(options: TrpcOptions, request: FastifyRequest): Promise<Access> {
  const { principal } = await checkedContext(options, request);
  if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
  if (principal.kind === "person") throw new VaultError("not_found");
  if (principal.isSuspended) throw new VaultError("account_suspended");
  return accessOf(principal);
}

function importOf(given: string | string[] | undefined): string | undefined {
  if (Array.isArray(given)) {
    throw new VaultError("validation_failed", { message: "Give one import at most." });
  }
  return given;
}

interface Part {
  part: MultipartFile;
  folder: string;
  importId: string | undefined;
  request: FastifyRequest;
}

async function keepPart(
  services: Services,
  access: Access,
  { part, folder, importId, request }: Part,
): Promise<FileAnswer> {
  const name = part.filename.slice(0, maxNameLength).replaceAll("\u0000", "").toWellFormed();
  const path = join(folder, randomUUID());
  try {
    const { contentHash, byteSize } = await writeDown(part.file, path);
    if (part.file.truncated) {
      throw new VaultError("body_too_large", {
        message: `A picture may have ${maxPictureBytes / 1_000_000} MB.`,
      });
    }
    const file = { path, contentHash, byteSize };
    const photo = await uploadPhoto(services, access, { name: name || "photo", importId }, file);
    return { name, photo, error: null };
  } catch (thrown) {
    // The connection is gone: there is nobody to answer.
    if (request.raw.destroyed && !request.raw.complete) throw thrown;
    const error = errorOf(thrown);
    if (error.status >= 500) request.log.error({ err: error.cause ?? error }, "An upload failed");
    return { name, photo: null, error: { code: error.code, message: error.message } };
  } finally {
    await rm(path, { force: true });
  }
}

async function writeDown(
  file: Readable,
  path: string,
): Promise<{ contentHash: Buffer; byteSize: number }> {
  const hash = createHash("sha256");
  let byteSize = 0;
  const count = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes);
      byteSize += bytes.length;
      done(null, bytes);
    },
  });
  await pipeline(file, count, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  return { contentHash: hash.digest(), byteSize };
}

/** What is wrong with the form as a whole. Files before it were kept; nobody will ask for them. */
function formError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (code === "FST_FILES_LIMIT" || code === "FST_PARTS_LIMIT" || code === "FST_FIELDS_LIMIT") {
    return new VaultError("validation_failed", {
      message: `A form may have ${maxFilesPerUpload} files, and no other fields.`,
    });
  }
  if (error instanceof VaultError) return error;
  return new VaultError("validation_failed", {
    message: "The form is broken or incomplete.",
    cause: error,
  });
}
