import { accountHeader } from "@cardvault/contract";
import type { UploadAnswer } from "@cardvault/contract";
import Uppy from "@uppy/core";
import XHRUpload from "@uppy/xhr-upload";

/** What became of one file on the wire. */
export type Sent =
  | { kind: "here" }
  | { kind: "refused"; message: string }
  /** It is sent again, after so long at least. */
  | { kind: "again"; why: "offline" | "busy" | "signed_out"; waitMs: number };

interface SenderOptions {
  importId: string;
  accountId: string;
  onProgress: (key: string, sentBytes: number) => void;
  onSent: (key: string, sent: Sent) => void;
}

export interface Sender {
  send: (key: string, name: string, file: Blob) => void;
  stop: () => void;
}

const atOnce = 3;
const busyWaitMs = 2_000;

interface Meta extends Record<string, unknown> {
  key: string;
}

/** Sends files into an import, a few at once. A chunk of its own, loaded with the first file. */
export function openSender({ importId, accountId, onProgress, onSent }: SenderOptions): Sender {
  const uppy = new Uppy<Meta, UploadAnswer & Record<string, unknown>>({
    autoProceed: true,
    // What goes wrong is told at its file.
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  });
  uppy.use(XHRUpload, {
    endpoint: `/photos?import=${importId}`,
    fieldName: "photo",
    allowedMetaFields: [],
    limit: atOnce,
    headers: { [accountHeader]: accountId },
    shouldRetry: () => false,
  });
  const end = (id: string, key: string, sent: Sent): void => {
    uppy.removeFile(id);
    onSent(key, sent);
  };
  uppy.on("upload-progress", (file, { bytesUploaded }) => {
    if (file !== undefined) onProgress(file.meta.key, bytesUploaded);
  });
  uppy.on("upload-success", (file, response) => {
    if (file === undefined) return;
    const error = response.body?.files[0]?.error ?? null;
    if (error === null) end(file.id, file.meta.key, { kind: "here" });
    else if (error.code === "service_unavailable") {
      end(file.id, file.meta.key, { kind: "again", why: "busy", waitMs: busyWaitMs });
    } else end(file.id, file.meta.key, { kind: "refused", message: error.message });
  });
  uppy.on("upload-error", (file, _error, response) => {
    if (file === undefined) return;
    const request = (response ?? null) as XMLHttpRequest | null;
    end(file.id, file.meta.key, failureOf(request));
  });
  return {
    send(key, name, file) {
      // The key in the path: two files of one name in different folders are two.
      uppy.addFile({ name, data: file, meta: { key, relativePath: key } });
    },
    stop: () => uppy.destroy(),
  };
}

function failureOf(request: XMLHttpRequest | null): Sent {
  const status = request?.status ?? 0;
  if (status === 0) return { kind: "again", why: "offline", waitMs: 0 };
  if (status === 401) return { kind: "again", why: "signed_out", waitMs: 0 };
  if (status === 429 || status >= 500) {
    const seconds = Number(request?.getResponseHeader("retry-after") ?? 0);
    return { kind: "again", why: "busy", waitMs: Math.max(busyWaitMs, (seconds || 0) * 1000) };
  }
  return { kind: "refused", message: messageOf(request) ?? `The service answered ${status}` };
}

function messageOf(request: XMLHttpRequest | null): string | null {
  try {
    const body = JSON.parse(request?.responseText ?? "") as { error?: { message?: unknown } };
    const message = body.error?.message;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}
