import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, openHouse, publicUrl } from "../../test-house.ts";
import type { Dealer, House } from "../../test-house.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Harbour Cards ${serial}`);
});
afterAll(() => house.close());

const tokenIn = (link: string) => new URL(link).hash.replace("#token=", "");

describe("members.invite", () => {
  test("200: a link of our own origin, whose token is stored nowhere", async () => {
    const { invitation, link } = await dealer.asOwner.accounts.members.invite({
      email: "New.Clerk@example.com",
    });
    expect(link.startsWith(`${publicUrl}/auth/invite#token=`)).toBe(true);
    expect(invitation).toMatchObject({ email: "new.clerk@example.com", role: "member" });
    const rows = await house.db.query("select * from invitation");
    expect(JSON.stringify(rows)).not.toContain(tokenIn(link));
    const { invitations } = await dealer.asOwner.accounts.members.list();
    expect(invitations).toEqual([invitation]);
  });

  test("a second link for the same address ends the first", async () => {
    const { members } = dealer.asOwner.accounts;
    const first = await members.invite({ email: "twice@example.com" });
    await members.invite({ email: "twice@example.com", role: "owner" });
    const guest = house.caller(null);
    expect(await codeFrom(guest.signIn.invitation({ token: tokenIn(first.link) }))).toBe(
      "not_found",
    );
    expect((await members.list()).invitations).toHaveLength(1);
  });

  test("409 conflict for somebody who is a member", async () => {
    const { members } = dealer.asOwner.accounts;
    expect(await codeFrom(members.invite({ email: dealer.owner.userEmail }))).toBe("conflict");
  });

  test("403 not_permitted for a member", async () => {
    const clerk = house.caller(await house.member(dealer, `Clerk ${serial}`, "member"));
    expect(await codeFrom(clerk.accounts.members.invite({ email: "x@example.com" }))).toBe(
      "not_permitted",
    );
    expect(await codeFrom(clerk.accounts.members.list())).toBe("not_permitted");
  });
});

describe("members.withdraw", () => {
  test("200: its link opens nothing any more, and it stands in the trail", async () => {
    const { members, trail } = dealer.asOwner.accounts;
    const { invitation, link } = await members.invite({ email: `late-${serial}@example.com` });
    expect(await members.withdraw({ id: invitation.id })).toEqual(invitation);
    expect((await members.list()).invitations).toEqual([]);
    const guest = house.caller(null);
    expect(await codeFrom(guest.signIn.invitation({ token: tokenIn(link) }))).toBe("not_found");
    expect(await codeFrom(members.withdraw({ id: invitation.id }))).toBe("not_found");
    const { data } = await trail({ about: ["member"] });
    expect(data.map(({ action }) => action)).toEqual([
      "member.invitation_withdrawn",
      "member.invited",
    ]);
  });
});

describe("accounts.trail", () => {
  test("200: what it is about, and from when to when", async () => {
    const { settings, trail, members } = dealer.asOwner.accounts;
    await members.invite({ email: `one-${serial}@example.com` });
    house.clock.advance(60_000);
    const since = house.clock.now().toISOString();
    await settings.update({ name: "Quayside Cards" });
    house.clock.advance(60_000);
    const until = house.clock.now().toISOString();
    await dealer.asOwner.keys.create({ name: "till" });
    const actionsOf = async (input: Parameters<typeof trail>[0]) =>
      (await trail(input)).data.map(({ action }) => action);
    expect(await actionsOf({ about: ["key", "member"] })).toEqual([
      "key.created",
      "member.invited",
    ]);
    expect(await actionsOf({ since, until })).toEqual(["account.settings_changed"]);
    const { next_cursor: cursor } = await trail({ about: ["key", "member"], limit: 1 });
    expect(await actionsOf({ about: ["key", "member"], cursor: cursor ?? "" })).toEqual([
      "member.invited",
    ]);
  });
});

describe("signIn.acceptInvitation", () => {
  const guest = () => house.caller(null);
  const given = { name: "New Clerk", password: "correct horse battery" };

  test("200: somebody new becomes a member who can sign in, once", async () => {
    const email = `new-${serial}@example.com`;
    const { link } = await dealer.asOwner.accounts.members.invite({ email });
    const token = tokenIn(link);
    expect(await guest().signIn.invitation({ token })).toMatchObject({
      account_name: dealer.account.name,
      email,
      has_sign_in: false,
    });
    expect(await guest().signIn.acceptInvitation({ token, ...given })).toEqual({
      account_id: dealer.account.id,
      email,
    });
    const { data } = await dealer.asOwner.accounts.members.list();
    expect(data.map((member) => [member.email, member.role])).toContainEqual([email, "member"]);
    expect(await codeFrom(guest().signIn.acceptInvitation({ token, ...given }))).toBe("not_found");
  });

  test("400 validation_failed for a short password or no name, and the link still works", async () => {
    const { link } = await dealer.asOwner.accounts.members.invite({
      email: `short-${serial}@example.com`,
    });
    const token = tokenIn(link);
    const { acceptInvitation } = guest().signIn;
    expect(await codeFrom(acceptInvitation({ token, ...given, password: "short" }))).toBe(
      "validation_failed",
    );
    expect(await codeFrom(acceptInvitation({ token, password: given.password }))).toBe(
      "validation_failed",
    );
    await acceptInvitation({ token, ...given });
  });

  test("401 and 403: a link signs nobody in who has a password", async () => {
    const known = await house.person(`Known ${serial}`);
    const other = await house.dealer(`Other ${serial}`);
    const { link } = await dealer.asOwner.accounts.members.invite({ email: known.email });
    const token = tokenIn(link);
    expect(await codeFrom(guest().signIn.acceptInvitation({ token, ...given }))).toBe(
      "sign_in_required",
    );
    expect(await codeFrom(other.asOwner.signIn.acceptInvitation({ token }))).toBe("not_permitted");
    const person = {
      kind: "person",
      userId: known.userId,
      userName: known.name,
      userEmail: known.email,
      isOperator: false,
    } as const;
    await house.caller(person).signIn.acceptInvitation({ token });
    const { data } = await house.caller(person).accounts.mine();
    expect(data.map(({ account }) => account.id)).toEqual([dealer.account.id]);
  });

  test("404 not_found after seven days, and for a token that never was", async () => {
    const { link } = await dealer.asOwner.accounts.members.invite({
      email: `late-${serial}@example.com`,
    });
    house.clock.advance(7 * 86_400_000);
    for (const token of [tokenIn(link), "never"]) {
      expect(await codeFrom(guest().signIn.acceptInvitation({ token, ...given }))).toBe(
        "not_found",
      );
    }
  });
});

describe("members.setRole and members.remove", () => {
  test("200: a member becomes an owner, and is removed", async () => {
    const clerk = await house.member(dealer, `Promoted ${serial}`, "member");
    const { members } = dealer.asOwner.accounts;
    expect(await members.setRole({ user_id: clerk.userId, role: "owner" })).toMatchObject({
      user_id: clerk.userId,
      role: "owner",
    });
    await members.remove({ user_id: clerk.userId });
    expect((await members.list()).data.map(({ user_id }) => user_id)).toEqual([
      dealer.owner.userId,
    ]);
    const { data } = await dealer.asOwner.accounts.trail({});
    expect(data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.role_changed", "member.removed"]),
    );
  });

  test("404 not_found for somebody who is no member", async () => {
    const { members } = dealer.asOwner.accounts;
    const { userId } = await house.person(`Stranger ${serial}`);
    for (const user_id of [userId, "nobody"]) {
      expect(await codeFrom(members.setRole({ user_id, role: "owner" }))).toBe("not_found");
      expect(await codeFrom(members.remove({ user_id }))).toBe("not_found");
    }
  });

  test("409 conflict for the last owner", async () => {
    const { members } = dealer.asOwner.accounts;
    const user_id = dealer.owner.userId;
    expect(await codeFrom(members.setRole({ user_id, role: "member" }))).toBe("conflict");
    expect(await codeFrom(members.remove({ user_id }))).toBe("conflict");
  });

  test("409 conflict for one of two owners who remove each other at the same moment", async () => {
    const second = await house.member(dealer, `Second ${serial}`, "owner");
    const outcomes = await Promise.allSettled([
      dealer.asOwner.accounts.members.remove({ user_id: second.userId }),
      house.caller(second).accounts.members.remove({ user_id: dealer.owner.userId }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await dealer.asOwner.accounts.members.list()).data).toHaveLength(1);
  });
});
