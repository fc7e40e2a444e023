import { randomBytes } from "node:crypto";
import type { CardImport } from "@cardvault/contract";
import { accountHeader } from "@cardvault/contract";
import { createAccount, createPerson } from "@cardvault/core";
import type { Stack } from "../stack/stack.ts";

/** A dealer at the web interface: signed in, over HTTP, as a browser does it. */
export interface BenchDealer {
  readonly accountId: string;
  upload(list: Blob): Promise<CardImport>;
  call(path: string, input: unknown): Promise<CardImport>;
  get(id: string): Promise<CardImport>;
  /** Takes a download to its end. Answers its lines and bytes. */
  download(query: string): Promise<{ lines: number; bytes: number }>;
}

/** Makes an account in a stack whose API runs, and signs its owner in. */
export async function openDealer({ services, publicUrl }: Stack): Promise<BenchDealer> {
  const password = randomBytes(18).toString("base64url");
  const email = "dealer@vault.example";
  const { userId } = await createPerson(services, { name: "Dealer", email, password });
  const account = await createAccount(
    services,
    { kind: "system", id: null },
    { name: "Imports", environment: "test", currency: "USD", ownerId: userId },
  );
  const signedIn = await fetch(`${publicUrl}/auth/sign-in/email`, {
    method: "POST",
    headers: { origin: publicUrl, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const headers = { cookie, origin: publicUrl, [accountHeader]: account.id };
  const resultOf = async (response: Response): Promise<CardImport> => {
    const body = (await response.json()) as { result?: { data: CardImport } };
    if (body.result === undefined) throw new Error(JSON.stringify(body));
    return body.result.data;
  };
  return {
    accountId: account.id,
    async upload(list) {
      const form = new FormData();
      form.append("file", list, "collection.csv");
      const response = await fetch(`${publicUrl}/trpc/files/import`, {
        method: "POST",
        headers,
        body: form,
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as CardImport;
    },
    async call(path, input) {
      const response = await fetch(`${publicUrl}/trpc/${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      return resultOf(response);
    },
    async get(id) {
      const input = encodeURIComponent(JSON.stringify({ id }));
      return resultOf(await fetch(`${publicUrl}/trpc/imports.get?input=${input}`, { headers }));
    },
    async download(query) {
      const response = await fetch(`${publicUrl}/trpc/files/cards${query}`, { headers });
      let lines = 0;
      let bytes = 0;
      for await (const piece of response.body ?? []) {
        bytes += piece.length;
        for (const byte of piece) if (byte === 10) lines += 1;
      }
      return { lines, bytes };
    },
  };
}
