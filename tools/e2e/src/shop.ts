import { randomBytes } from "node:crypto";
import { accountHeader, eventTypes, scopes } from "@cardvault/contract";
import type { Card, CardCreate, Environment } from "@cardvault/contract";
import { createAccount, createEndpoint, createKey, createPerson, setLimits } from "@cardvault/core";
import type { Access } from "@cardvault/core";
import type { Stack } from "./stack.ts";

interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** An account with its owner and a token, and HTTP to the service as either of them. */
export interface Shop {
  readonly accountId: string;
  readonly access: Access;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** REST with the token. */
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  /** Signs in over HTTP. */
  signIn(): Promise<Session>;
  /** Registers a receiver, as the operator does by hand. */
  receive(url: string): Promise<{ readonly id: string; readonly secret: string }>;
}

/** What tRPC answers. */
interface ProcedureBody {
  readonly result?: { readonly data: unknown } | undefined;
  readonly error?: { readonly message: string; readonly data?: unknown } | undefined;
}

interface Session {
  /** The headers as they were set. */
  readonly setCookies: readonly string[];
  /** What a browser sends back. */
  readonly cookie: string;
  /** A procedure of the pages, in the shop's account unless another is named. */
  call(procedure: string, input: unknown, accountId?: string): Promise<Answer<ProcedureBody>>;
  createCards(cards: readonly CardCreate[]): Promise<Card[]>;
}

const anyNumberOfRequests = 1_000_000;
const writersAtOnce = 8;

/** Makes an account by the operator's use cases. Its limits are out of the way, unless they are asked for. */
export async function openShop(
  stack: Stack,
  environment: Environment = "test",
  { hasUsualLimits = false }: { readonly hasUsualLimits?: boolean } = {},
): Promise<Shop> {
  const { services, secrets, url } = stack;
  const email = `owner-${randomBytes(4).toString("hex")}@shop.example`;
  const password = randomBytes(15).toString("base64url");
  const { userId } = await createPerson(services, { name: "Robin Vale", email, password });
  const operator = { kind: "operator", id: null } as const;
  const account = await createAccount(services, operator, {
    name: "Harbor Lane Cards",
    environment,
    currency: "USD",
    ownerId: userId,
  });
  const { id: accountId, currency } = account;
  const via = "command_line";
  const access: Access = { accountId, environment, currency, actor: operator, via };
  const limit = anyNumberOfRequests;
  if (!hasUsualLimits) {
    await setLimits(services, access, { read: limit, write: limit, ai: limit });
  }
  const { token } = await createKey(services, access, { name: "Till", scopes });
  secrets.add(password).add(token);

  return {
    accountId,
    access,
    email,
    password,
    token,
    call: <Body>(method: string, path: string, body?: unknown) =>
      request<Body>(`${url}${path}`, method, { authorization: `Bearer ${token}` }, body),
    signIn: () => signIn(stack, { email, password, accountId }),
    receive: async (receiverUrl) => {
      const made = await createEndpoint(services, access, {
        url: receiverUrl,
        events: [...eventTypes],
      });
      secrets.add(made.secret);
      return { id: made.endpoint.id, secret: made.secret };
    },
  };
}

async function request<Body>(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? null : JSON.parse(text)) as Body,
  };
}

async function signIn(
  { url, publicUrl: origin, secrets }: Stack,
  { email, password, accountId }: Pick<Shop, "email" | "password" | "accountId">,
): Promise<Session> {
  const answer = await request(
    `${url}/auth/sign-in/email`,
    "POST",
    { origin },
    { email, password },
  );
  if (answer.status !== 200) throw new Error(`Signing in was answered ${answer.status}`);
  const setCookies = answer.headers.getSetCookie();
  const cookie = setCookies.map((line) => line.split(";")[0] ?? "").join("; ");
  for (const pair of cookie.split("; ")) secrets.add(pair.slice(pair.indexOf("=") + 1));
  const call: Session["call"] = (procedure, input, account = accountId) =>
    request(
      `${url}/trpc/${procedure}`,
      "POST",
      { origin, cookie, [accountHeader]: account },
      input,
    );
  return {
    setCookies,
    cookie,
    call,
    createCards: async (inputs) => {
      const made: Card[] = [];
      for (let at = 0; at < inputs.length; at += writersAtOnce) {
        const answers = await Promise.all(
          inputs.slice(at, at + writersAtOnce).map((input) => call("cards.create", input)),
        );
        for (const { status, body } of answers) {
          const card = body.result?.data as Card | undefined;
          if (card === undefined) {
            throw new Error(`cards.create was answered ${status}: ${JSON.stringify(body)}`);
          }
          made.push(card);
        }
      }
      return made;
    },
  };
}
