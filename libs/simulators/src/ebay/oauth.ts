import * as z from "zod";
import type { AnswerContext, SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { changeSeller, openSeller } from "./seller.ts";

// Tokens carry what they say: nothing of them is kept, but whether a seller's consent still stands and
// which codes have been used. They are no secrets, as nothing in the sandbox is.

const accessSeconds = 7_200;
/** 18 months. */
const refreshSeconds = 47_304_000;
const codeSeconds = 299;
const applicationPrefix = "v^1.1#sandbox#";
const userPrefix = "v^1.1#i^1#user#";
const codePrefix = "v^1.1#i^1#code#";
const refreshPrefix = "v^1.1#i^1#refresh#";
/** A test account's refresh token is this and its id: nobody has to agree. */
const testAccountPrefix = "sandbox-";

const codeContent = z.object({
  client: z.string(),
  seller: z.string(),
  redirect: z.string(),
  scope: z.string(),
  until: z.number(),
  nonce: z.string(),
});
const refreshContent = z.object({ client: z.string(), seller: z.string(), until: z.number() });
const userContent = z.object({ seller: z.string(), until: z.number() });

const encode = (prefix: string, content: object): string =>
  prefix + Buffer.from(JSON.stringify(content)).toString("base64url");

function decode<Schema extends z.ZodType>(
  prefix: string,
  token: string,
  schema: Schema,
): z.output<Schema> | null {
  if (!token.startsWith(prefix)) return null;
  try {
    const content: unknown = JSON.parse(
      Buffer.from(token.slice(prefix.length), "base64url").toString("utf8"),
    );
    return schema.safeParse(content).data ?? null;
  } catch {
    return null;
  }
}

const bearerOf = (request: Pick<SimulatedRequest, "headers">): string =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";

function clientOf({ headers }: Pick<SimulatedRequest, "headers">): string {
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  return (
    Buffer.from(basic ?? "", "base64")
      .toString("utf8")
      .split(":", 1)[0] ?? ""
  );
}

/** The seller of the request, by its token or by what it has renewed; "" where it has none. */
export function sellerOf(request: SimulatedRequest): string {
  const user = decode(userPrefix, bearerOf(request), userContent);
  if (user !== null) return user.seller;
  if (request.path !== "/identity/v1/oauth2/token") return "";
  const form = new URLSearchParams(request.body.toString("utf8"));
  const code = decode(codePrefix, form.get("code") ?? "", codeContent);
  return code?.seller ?? refreshOf(form.get("refresh_token") ?? "")?.seller ?? "";
}

/** The application of the request: of its Basic header, or of an application's token. */
export function applicationOf(request: SimulatedRequest): string {
  const bearer = bearerOf(request);
  return bearer.startsWith(applicationPrefix)
    ? bearer.slice(applicationPrefix.length)
    : clientOf(request);
}

function refreshOf(token: string): z.output<typeof refreshContent> | null {
  if (token.startsWith(testAccountPrefix)) {
    const seller = token.slice(testAccountPrefix.length);
    return { client: "", seller, until: Number.MAX_SAFE_INTEGER };
  }
  return decode(refreshPrefix, token, refreshContent);
}

/** The seller whose access token is valid by the seller's clock and whose consent stands; else null. */
export async function authorizedSeller(
  request: SimulatedRequest,
  { store, now }: AnswerContext,
): Promise<string | null> {
  const user = decode(userPrefix, bearerOf(request), userContent);
  if (user === null) return null;
  const seller = await openSeller(store, user.seller, now);
  const isValid = seller.record.consent !== "revoked" && seller.now.getTime() < user.until;
  return isValid ? user.seller : null;
}

/**
 * The consent page, which agrees at once: `login_hint` says who agrees, `prompt=decline` that nobody does.
 * `redirect_uri` is an address here; at eBay it is the name of one that is kept there.
 */
export function consentAnswer({ query }: SimulatedRequest, now: Date): SimulatedAnswer {
  const given = (name: string): string => query.get(name) ?? "";
  const redirect = given("redirect_uri");
  if (given("client_id") === "" || given("response_type") !== "code" || !URL.canParse(redirect)) {
    return oauthError(400, "invalid_request", "the input request is invalid");
  }
  const back = new URL(redirect);
  if (query.has("state")) back.searchParams.set("state", given("state"));
  if (given("prompt") === "decline") back.searchParams.set("error", "access_denied");
  else {
    const code = {
      client: given("client_id"),
      seller: given("login_hint") === "" ? "first-seller" : given("login_hint"),
      redirect,
      scope: given("scope"),
      until: now.getTime() + codeSeconds * 1_000,
      nonce: given("state"),
    };
    back.searchParams.set("code", encode(codePrefix, code));
    back.searchParams.set("expires_in", String(codeSeconds));
  }
  return { status: 302, headers: { location: back.href }, json: undefined };
}

/** The token endpoint: of applications, of a consent's code, of a renewal. */
export async function tokenAnswer(
  request: SimulatedRequest,
  ctx: AnswerContext,
): Promise<SimulatedAnswer> {
  const { headers, body } = request;
  const form = new URLSearchParams(body.toString("utf8"));
  const client = clientOf(request);
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  if (client === "") return oauthError(401, "invalid_client", "client authentication failed");
  if (!isForm) return oauthError(400, "invalid_request", "request is invalid");
  switch (form.get("grant_type")) {
    case "client_credentials":
      return json({
        access_token: `${applicationPrefix}${client}`,
        expires_in: accessSeconds,
        token_type: "Application Access Token",
      });
    case "authorization_code":
      return codeAnswer(form, client, ctx);
    case "refresh_token":
      return refreshAnswer(form, client, ctx);
    default:
      return oauthError(400, "unsupported_grant_type", "grant type in request is not supported");
  }
}

async function codeAnswer(
  form: URLSearchParams,
  client: string,
  { store, now }: AnswerContext,
): Promise<SimulatedAnswer> {
  const given = form.get("code") ?? "";
  const code = decode(codePrefix, given, codeContent);
  const isMeant = code !== null && code.client === client;
  if (!isMeant || code.redirect !== form.get("redirect_uri") || code.until < now.getTime()) {
    return oauthError(400, "invalid_grant", "the provided authorization grant code is invalid");
  }
  const isFirst = await store.exclusive("ebay", "codes", async (alone) => {
    const isUsed = (await alone.read("ebay", `code/${given}`)) !== null;
    if (!isUsed) await alone.write("ebay", `code/${given}`, { used: now.toISOString() });
    return !isUsed;
  });
  if (!isFirst) {
    return oauthError(400, "invalid_grant", "the provided authorization grant code is invalid");
  }
  const seller = await changeSeller(store, code.seller, now, async (opened) => {
    opened.record.consent = "given";
    await opened.save();
    return opened;
  });
  const until = seller.now.getTime() + refreshSeconds * 1_000;
  return json({
    ...accessOf(code.seller, seller.now),
    refresh_token: encode(refreshPrefix, { client, seller: code.seller, until }),
    refresh_token_expires_in: refreshSeconds,
  });
}

async function refreshAnswer(
  form: URLSearchParams,
  client: string,
  { store, now }: AnswerContext,
): Promise<SimulatedAnswer> {
  const refused = oauthError(
    400,
    "invalid_grant",
    "the provided authorization refresh token is invalid or was issued to another client",
  );
  const given = form.get("refresh_token") ?? "";
  const refresh = refreshOf(given);
  if (refresh === null || refresh.seller === "") return refused;
  if (!given.startsWith(testAccountPrefix) && refresh.client !== client) return refused;
  const seller = await openSeller(store, refresh.seller, now);
  const hasEnded = refresh.until < seller.now.getTime();
  if (hasEnded || seller.record.consent !== "given") return refused;
  return json(accessOf(refresh.seller, seller.now));
}

function accessOf(seller: string, now: Date): object {
  const until = now.getTime() + accessSeconds * 1_000;
  return {
    access_token: encode(userPrefix, { seller, until }),
    expires_in: accessSeconds,
    token_type: "User Access Token",
  };
}

const json = (value: unknown): SimulatedAnswer => ({ status: 200, json: value });

function oauthError(status: number, error: string, description: string): SimulatedAnswer {
  return { status, json: { error, error_description: description } };
}
