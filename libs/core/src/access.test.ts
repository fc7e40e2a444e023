import { scopes } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "./context.ts";
import type { Meta } from "./procedures.ts";
import { appRouter } from "./router.ts";
import { codeFrom, openHouse, tokenOf } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: object }>,
);
const metaOf = (procedure: { _def: { meta?: Meta; type?: string } }) => procedure._def.meta ?? {};
const typeOf = (procedure: { _def: { type?: string } }) => procedure._def.type;

const documentedPaths = procedures
  .filter(([, procedure]) => metaOf(procedure).openapi !== undefined)
  .map(([path]) => path);
const withoutSession = ["signIn.invitation", "signIn.acceptInvitation"];
const ownerOnly = [
  "keys.list",
  "keys.usage",
  "keys.create",
  "keys.rotate",
  "keys.revoke",
  "webhooks.endpoints.list",
  "webhooks.endpoints.get",
  "webhooks.endpoints.create",
  "webhooks.endpoints.update",
  "webhooks.endpoints.delete",
  "webhooks.endpoints.rotate",
  "webhooks.endpoints.switchNow",
  "webhooks.endpoints.test",
  "webhooks.endpoints.health",
  "webhooks.endpoints.recover",
  "webhooks.endpoints.missing",
  "webhooks.endpoints.timeline",
  "providers.health",
  "marketplace.connect",
  "marketplace.disconnect",
  "marketplace.setup",
  "marketplace.saveSetup",
  "marketplace.createLocation",
  "accounts.createTest",
  "accounts.members.list",
  "accounts.members.invite",
  "accounts.members.withdraw",
  "accounts.members.setRole",
  "accounts.members.remove",
  "accounts.settings.update",
  "identifications.setBudget",
  "accounts.trail",
];
/** Of the platform, not of an account: an account's suspension does not bind them. */
const isOperators = (path: string) => path.startsWith("operations.");
/** Of a person, whatever account the request names. */
const ofPerson = [
  "accounts.mine",
  "signIn.rename",
  "signIn.sessions",
  "signIn.endSession",
  "signIn.endOtherSessions",
];
const sessionOnly = procedures
  .map(([path]) => path)
  .filter((path) => !documentedPaths.includes(path) && !withoutSession.includes(path));

function call(principal: Context["principal"], path: string): Promise<unknown> {
  let target: unknown = house.caller(principal);
  for (const name of path.split(".")) target = (target as Record<string, unknown>)[name];
  // No input fits every procedure: who may ask is decided before what is asked.
  return (target as (input: unknown) => Promise<unknown>)({ nothing: "fits" });
}

test("the documented surface is exactly the contract's", () => {
  const surface = procedures.flatMap(([path, procedure]) => {
    const { openapi, limitClass, scopes: needed } = metaOf(procedure);
    return openapi === undefined
      ? []
      : [[path, openapi.method, openapi.path, limitClass, needed?.join(" ")].join(" | ")];
  });
  expect(surface.toSorted()).toEqual([
    "batches.cards | GET | /batches/{id}/cards | read | batches:read cards:read",
    "batches.list | GET | /batches | read | batches:read",
    "cards.get | GET | /cards/{id} | read | cards:read",
    "cards.list | GET | /cards | read | cards:read",
    "cards.update | PATCH | /cards/{id} | write | cards:write",
    "identifications.identify | POST | /identify | ai | identify",
    "listings.list | GET | /listings | read | listings:read",
    "listings.publish | POST | /listings/{cardId}/publish | write | listings:write",
    "prices.lookUp | POST | /price-lookup | ai | prices",
  ]);
});

describe.each(sessionOnly)("%s", (path) => {
  test("refuses a token with every scope, and nobody", async () => {
    for (const principal of [tokenOf(dealer, scopes), null]) {
      expect(await codeFrom(call(principal, path))).toBe("sign_in_required");
    }
  });
});

describe.each(ownerOnly)("%s", (path) => {
  test("refuses a member", async () => {
    const member = { ...dealer.owner, role: "member" as const };
    expect(await codeFrom(call(member, path))).toBe("not_permitted");
  });
});

test.each(sessionOnly.filter((path) => !ownerOnly.includes(path)))(
  "%s lets a member through to its input or answer",
  async (path) => {
    const member = { ...dealer.owner, role: "member" as const };
    const code = await call(member, path).then(
      () => "answered",
      () => codeFrom(call(member, path)),
    );
    expect(code).not.toBe("not_permitted");
  },
);

describe.each(documentedPaths)("%s", (path) => {
  test("refuses nobody, and a token without its scope before it looks at the input", async () => {
    expect(await codeFrom(call(null, path))).toBe("sign_in_required");
    expect(await codeFrom(call(tokenOf(dealer, []), path))).toBe("insufficient_scope");
  });
});

test.each([
  ["identifications.identify", "identify", { card_id: "x" }],
  ["prices.lookUp", "prices", { apply: true }],
] as const)(
  "%s needs cards:write besides for what writes to a card",
  async (path, scope, input) => {
    let target: unknown = house.caller(tokenOf(dealer, [scope]));
    for (const name of path.split(".")) target = (target as Record<string, unknown>)[name];
    const procedure = target as (given: unknown) => Promise<unknown>;
    expect(await codeFrom(procedure(input))).toBe("insufficient_scope");
    expect(await codeFrom(procedure({}))).toBe("validation_failed");
  },
);

const mutations = procedures
  .filter(([path, procedure]) => typeOf(procedure) === "mutation" && !withoutSession.includes(path))
  .map(([path]) => path);

describe.each(procedures.map(([path]) => path).filter(isOperators))("%s", (path) => {
  test("is not there for an owner, and lets an operator through to its input or answer", async () => {
    expect(await codeFrom(call(dealer.owner, path))).toBe("not_found");
    const code = await call({ ...dealer.owner, isOperator: true }, path).then(
      () => "answered",
      () => codeFrom(call({ ...dealer.owner, isOperator: true }, path)),
    );
    expect(["answered", "validation_failed"]).toContain(code);
  });
});

test.each(mutations.filter((path) => !isOperators(path) && !ofPerson.includes(path)))(
  "%s is refused while the account is suspended",
  async (path) => {
    const suspended = { ...dealer.owner, isSuspended: true };
    expect(await codeFrom(call(suspended, path))).toBe("account_suspended");
  },
);

const ofAccount = [...sessionOnly, ...documentedPaths].filter((path) => !ofPerson.includes(path));

test.each(ofAccount)("%s is not found without an account of one's own", async (path) => {
  const { userId, userName, userEmail } = dealer.owner;
  const person = { kind: "person", userId, userName, userEmail, isOperator: false } as const;
  expect(await codeFrom(call(person, path))).toBe("not_found");
});
