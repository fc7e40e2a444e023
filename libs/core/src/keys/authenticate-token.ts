import { VaultError } from "@cardvault/contract";
import { findKeyByHash, writeLastUse } from "@cardvault/db";
import type { KeyFacts } from "@cardvault/db";
import type { TokenPrincipal } from "../context.ts";
import type { Services } from "../services.ts";
import { parseToken } from "./token.ts";

const scheme = /^bearer +/i;
const lastUseMs = 60_000;
type Needs = Pick<Services, "db" | "clock" | "logger" | "principals">;

/**
 * The principal of an `Authorization` header.
 * @param now decides whether the key has expired.
 * @throws VaultError `missing_token`, `invalid_token`, `revoked_token`, `expired_token` (401);
 * `account_suspended` (403).
 */
export async function authenticateToken(
  services: Needs,
  authorization: string | undefined,
  now: Date,
): Promise<TokenPrincipal> {
  if (authorization === undefined || !scheme.test(authorization)) {
    throw new VaultError("missing_token");
  }
  const token = parseToken(authorization.replace(scheme, "").trimEnd());
  if (token === null) throw new VaultError("invalid_token");
  const { principals } = services;
  const cached = principals.get(token.hash);
  const known = cached ?? (await lookUp(services, token.hash, now));
  noteUse(services, known, now);
  return known;
}

async function lookUp(services: Needs, hash: Buffer, now: Date): Promise<TokenPrincipal> {
  const { principals } = services;
  const generation = principals.generation();
  const facts = await findKeyByHash(services.db, hash);
  if (facts === null) throw new VaultError("invalid_token");
  if (facts.revokedAt !== null) throw new VaultError("revoked_token");
  if (facts.expiresAt !== null && facts.expiresAt <= now) throw new VaultError("expired_token");
  if (facts.suspendedAt !== null) throw new VaultError("account_suspended");
  const principal = principalFrom(facts);
  principals.set(hash, principal, facts.expiresAt, generation);
  return principal;
}

function principalFrom({ limits, ...facts }: KeyFacts): TokenPrincipal {
  return {
    kind: "token",
    accountId: facts.accountId,
    environment: facts.environment,
    currency: facts.currency,
    keyId: facts.keyId,
    scopes: facts.scopes,
    limits: {
      read: limits.read ?? undefined,
      write: limits.write ?? undefined,
      ai: limits.ai ?? undefined,
    },
  };
}

/** Off the request's path: nobody waits for it, and a failure is logged and forgotten. */
function noteUse({ db, logger, principals }: Needs, principal: TokenPrincipal, now: Date): void {
  if (!principals.isUseDue(principal.keyId, now, lastUseMs)) return;
  writeLastUse(db, principal.accountId, principal.keyId, now).catch((error: unknown) => {
    logger.warn({ err: error }, "the last use of a key could not be written");
  });
}
