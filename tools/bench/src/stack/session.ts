import { randomBytes } from "node:crypto";
import { accountHeader } from "@cardvault/contract";
import { createAccount, createPerson } from "@cardvault/core";
import type { Stack } from "./stack.ts";

/** A dealer at the web interface: signed in, over HTTP, as a browser does it. */
export interface BenchSession {
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
  /** What makes a request one of this session's. */
  readonly headers: Readonly<Record<string, string>>;
  /** A procedure that changes something. */
  mutate<Answer>(procedure: string, input: unknown): Promise<Answer>;
  query<Answer>(procedure: string, input: unknown): Promise<Answer>;
  /** Sends a form to one of the paths that take files. */
  send<Answer>(path: string, form: FormData): Promise<Answer>;
  /** What a link gives out. */
  open(path: string): Promise<Response>;
}

/** Makes an account of test in a stack whose API runs, and signs its owner in. */
export async function openSession(
  { services, publicUrl }: Pick<Stack, "services" | "publicUrl">,
  name: string,
): Promise<BenchSession> {
  const password = randomBytes(18).toString("base64url");
  const email = "dealer@vault.example";
  const { userId } = await createPerson(services, { name: "Dealer", email, password });
  const account = await createAccount(
    services,
    { kind: "system", id: null },
    { name, environment: "test", currency: "USD", ownerId: userId },
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
  return {
    accountId: account.id,
    email,
    password,
    headers,
    async mutate(procedure, input) {
      const response = await fetch(`${publicUrl}/trpc/${procedure}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      return resultOf(response);
    },
    async query(procedure, input) {
      const asked = encodeURIComponent(JSON.stringify(input));
      return resultOf(await fetch(`${publicUrl}/trpc/${procedure}?input=${asked}`, { headers }));
    },
    async send<Answer>(path: string, form: FormData) {
      const response = await fetch(`${publicUrl}${path}`, { method: "POST", headers, body: form });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as Answer;
    },
    open: (path) => fetch(`${publicUrl}${path}`, { headers }),
  };
}

async function resultOf<Answer>(response: Response): Promise<Answer> {
  const body = (await response.json()) as { result?: { data: Answer } };
  if (body.result === undefined) throw new Error(JSON.stringify(body));
  return body.result.data;
}
