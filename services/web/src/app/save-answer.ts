import { accountHeader } from "@cardvault/contract";
import { currentAccountId } from "./account.ts";
import { AuthError, problemOfAnswer, unreachable } from "./problem.ts";

/**
 * Asks for a file that is made of a body, and has the browser save it.
 * @param name where the answer names none
 * @throws AuthError where the answer is not a success, or there is none
 */
export async function saveAnswer(path: string, body: unknown, name: string): Promise<void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", [accountHeader]: currentAccountId() ?? "" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new AuthError(unreachable);
  });
  if (!response.ok) {
    throw new AuthError(problemOfAnswer(response, await response.json().catch(() => null)));
  }
  const given = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = given ?? name;
  link.click();
  URL.revokeObjectURL(address);
}
