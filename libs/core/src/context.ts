import type {
  ActorKind,
  ChangeVia,
  Environment,
  LimitClass,
  Role,
  Scope,
} from "@cardvault/contract";
import type { Transaction } from "@cardvault/db";
import type { Services } from "./services.ts";

/** Requests per window that an operator has set for an account; a class without one has the default. */
export type AccountLimits = { [Class in LimitClass]?: number | undefined };

/** A request with a valid bearer token: one account, and the scopes of the key. */
export interface TokenPrincipal {
  kind: "token";
  accountId: string;
  environment: Environment;
  currency: string;
  keyId: string;
  scopes: readonly Scope[];
  limits: AccountLimits;
}

/** A request of a signed-in person that names an account in which the person is a member. */
export interface SessionPrincipal {
  kind: "session";
  userId: string;
  userName: string;
  userEmail: string;
  accountId: string;
  environment: Environment;
  currency: string;
  role: Role;
  /** Which of the person's sessions it is; missing where none is behind the request. */
  sessionId?: string | undefined;
  isOperator: boolean;
  /** A suspended account can be looked at by its members, and not changed. */
  isSuspended: boolean;
}

/** A request of a signed-in person that names no account: enough to ask which there are. */
export interface PersonPrincipal {
  kind: "person";
  userId: string;
  userName: string;
  userEmail: string;
  sessionId?: string | undefined;
  isOperator: boolean;
}

export type Principal = TokenPrincipal | SessionPrincipal | PersonPrincipal;

/** What every procedure is given. A procedure sees a principal, never a header. */
export interface Context {
  services: Services;
  /** Null where nobody is signed in and no token was given. */
  principal: Principal | null;
  /** `req_…`, for the log and for error answers. */
  requestId: string;
  /**
   * Writes the idempotent answer in the change's own transaction. The answer is what the procedure
   * answers; or, where the change is written and the call fails all the same, the error that it throws.
   */
  recordAnswer?: ((tx: Transaction, result: unknown) => Promise<void>) | undefined;
  /** Who a session's request is from, asked again: for what lasts longer than a request. */
  recheck?: (() => Promise<Principal | null>) | undefined;
  /** The `If-Match` header as it came. */
  ifMatch?: string | undefined;
}

/** Who acts, for the trail and for the history of cards. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
}

/** What a use case is given instead of a principal: the account that it acts in, who acts, and through what. */
export interface Access {
  accountId: string;
  environment: Environment;
  currency: string;
  actor: Actor;
  via: ChangeVia;
}

/** The account and the actor of a principal that has one. */
export function accessOf(principal: TokenPrincipal | SessionPrincipal): Access {
  const { accountId, environment, currency } = principal;
  return {
    accountId,
    environment,
    currency,
    actor:
      principal.kind === "token"
        ? { kind: "token", id: principal.keyId }
        : { kind: "member", id: principal.userId },
    via: principal.kind === "token" ? "api" : "web",
  };
}
