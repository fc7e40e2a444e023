import { accountHeader } from "@cardvault/contract";
import type { CardImport } from "@cardvault/contract";
import { currentAccountId } from "../../app/account.ts";
import { AuthError, problemOfAnswer, unreachable } from "../../app/problem.ts";
import { keepFile } from "../import/kept-files.ts";

/** The list's place among what this browser keeps of an import. */
export const listKey = "list";

/**
 * Sends a list in, and keeps it in this browser for a download of its bad rows.
 * @param onProgress of the sending, from 0 to 1
 * @throws AuthError what the service says of it
 */
export async function uploadList(
  file: File,
  onProgress: (share: number) => void,
): Promise<CardImport> {
  const { response, text } = await post(file, onProgress);
  const body = parsed(text);
  if (!response.ok) throw new AuthError(problemOfAnswer(response, body));
  const made = body as CardImport;
  const { name, size } = file;
  const kept = { importId: made.id, sha256: listKey, name, size, keptAtMs: Date.now(), file };
  await keepFile(kept);
  return made;
}

/** With XMLHttpRequest, because `fetch` does not say how much was sent. */
function post(
  file: File,
  onProgress: (share: number) => void,
): Promise<{ response: Response; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/trpc/files/import");
    request.setRequestHeader(accountHeader, currentAccountId() ?? "");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total);
    });
    request.addEventListener("load", () => {
      const headers = { "x-request-id": request.getResponseHeader("x-request-id") ?? "" };
      const response = new Response(null, { status: request.status, headers });
      resolve({ response, text: request.responseText });
    });
    request.addEventListener("error", () => reject(new AuthError(unreachable)));
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
