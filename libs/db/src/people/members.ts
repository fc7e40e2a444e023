import type { Invitation, Member, Role } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { written } from "./written.ts";

interface MemberRow {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
}

/** The members of an account, the first to join first. */
export async function listMembers(db: Queryable, accountId: string): Promise<Member[]> {
  const rows = await db.query<MemberRow>(
    `select m.user_id, u.name, u.email, m.role, m.created_at
     from member m join auth."user" u on u.id = m.user_id
     where m.account_id = $1 order by m.created_at, m.user_id`,
    [toUuid(accountId)],
  );
  return rows.map(({ created_at, ...row }) => ({ ...row, joined_at: created_at.toISOString() }));
}

/** False where the person is a member already. */
export async function insertMember(
  db: Queryable,
  accountId: string,
  member: { userId: string; role: Role; createdAt: Date },
): Promise<boolean> {
  const rows = await db.query(
    `insert into member (account_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict do nothing returning 1`,
    [toUuid(accountId), member.userId, member.role, member.createdAt],
  );
  return rows.length > 0;
}

export async function writeRole(
  db: Queryable,
  accountId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await db.query(`update member set role = $3 where account_id = $1 and user_id = $2`, [
    toUuid(accountId),
    userId,
    role,
  ]);
}

export async function deleteMember(
  db: Queryable,
  accountId: string,
  userId: string,
): Promise<void> {
  await db.query(`delete from member where account_id = $1 and user_id = $2`, [
    toUuid(accountId),
    userId,
  ]);
}

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  created_at: Date;
  expires_at: Date;
}

function invitationFrom(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** The invitations that can still be accepted, the latest first. */
export async function listInvitations(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<Invitation[]> {
  const rows = await db.query<InvitationRow>(
    `select id, email, role, created_at, expires_at from invitation
     where account_id = $1 and accepted_at is null and expires_at > $2
     order by created_at desc, id desc`,
    [toUuid(accountId), now],
  );
  return rows.map(invitationFrom);
}

export interface NewInvitation {
  email: string;
  role: Role;
  tokenHash: Buffer;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Makes an invitation; open ones of the same address in the account end. */
export async function insertInvitation(
  db: Queryable,
  accountId: string,
  invitation: NewInvitation,
): Promise<Invitation> {
  const account = toUuid(accountId);
  const email = invitation.email.toLowerCase();
  await db.query(
    `delete from invitation where account_id = $1 and email = $2 and accepted_at is null`,
    [account, email],
  );
  const [row] = await db.query<InvitationRow>(
    `insert into invitation (id, account_id, email, role, token_hash, invited_by, created_at, expires_at)
     values (uuidv7(), $1, $2, $3, $4, $5, $6, $7)
     returning id, email, role, created_at, expires_at`,
    [
      account,
      email,
      invitation.role,
      invitation.tokenHash,
      invitation.invitedBy,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  );
  return invitationFrom(written(row));
}

/** Ends an invitation that nobody has accepted; null where there is none. */
export async function deleteInvitation(
  tx: Queryable,
  accountId: string,
  invitationId: string,
): Promise<Invitation | null> {
  const [row] = await tx.query<InvitationRow>(
    `delete from invitation where account_id = $1 and id = $2 and accepted_at is null
     returning id, email, role, created_at, expires_at`,
    [toUuid(accountId), invitationId],
  );
  return row === undefined ? null : invitationFrom(row);
}

export interface OpenInvitation extends Invitation {
  accountId: string;
  accountName: string;
}

/** The open invitation of a link, locked until the transaction ends; null where there is none. */
export async function findOpenInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenInvitation | null> {
  const [row] = await tx.query<InvitationRow & { account_id: string; name: string }>(
    `select i.id, i.email, i.role, i.created_at, i.expires_at, i.account_id, a.name
     from invitation i join account a on a.id = i.account_id
     where i.token_hash = $1 and i.accepted_at is null and i.expires_at > $2
     for update of i`,
    [tokenHash, now],
  );
  if (row === undefined) return null;
  return { ...invitationFrom(row), accountId: toId("acc", row.account_id), accountName: row.name };
}

export async function markAccepted(tx: Queryable, invitationId: string, now: Date): Promise<void> {
  await tx.query(`update invitation set accepted_at = $2 where id = $1`, [invitationId, now]);
}
