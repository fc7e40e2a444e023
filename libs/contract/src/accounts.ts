import * as z from "zod";
import { workflowCounts } from "./batch.ts";
import { accountId, userId } from "./ids.ts";
import { templateMaxima } from "./listing-work.ts";
import { listTotal, pageShape } from "./lists.ts";
import { currency, totalMoney } from "./money.ts";
import { environments, limitClasses, roles, trailSubjects } from "./states.ts";
import type { LimitClass } from "./states.ts";
import { filledText, requestTime, text, timestamp } from "./text.ts";

export const accountStatuses = ["active", "suspended"] as const;

export const account = z.strictObject({
  id: accountId,
  name: filledText(100),
  environment: z.enum(environments),
  status: z.enum(accountStatuses),
  currency,
  live_account_id: accountId
    .nullable()
    .meta({ description: "Of a test account: the live one that it stands beside." }),
  created_at: timestamp,
});
export type Account = z.output<typeof account>;

const limit = z.int().min(1).max(1_000_000).nullable().optional();

/** An operator's limits of one account, requests a minute; null goes back to the default. */
export const accountLimits = z.strictObject(
  Object.fromEntries(limitClasses.map((name) => [name, limit])) as Record<LimitClass, typeof limit>,
);
export type AccountLimits = z.output<typeof accountLimits>;

export const email = z.email().max(254);

/** `accounts.current`: who is asking, in which account, and as what. */
export const currentAnswer = z.strictObject({
  user: z.strictObject({ id: userId, name: z.string(), email, is_operator: z.boolean() }),
  account,
  role: z.enum(roles),
});
export type Current = z.output<typeof currentAnswer>;

/** `accounts.mine`: what one can switch to. Needs no account. */
export const myAccountsAnswer = z.strictObject({
  data: z.array(z.strictObject({ account, role: z.enum(roles) })),
});

/** `accounts.createTest`: a test account beside the current, live one. Answers the account. */
export const createTestAccountInput = z.strictObject({ name: filledText(100).optional() });

export const member = z.strictObject({
  user_id: userId,
  name: z.string(),
  email,
  role: z.enum(roles),
  joined_at: timestamp,
});
export type Member = z.output<typeof member>;

export const invitation = z.strictObject({
  id: z.string(),
  email,
  role: z.enum(roles),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = z.output<typeof invitation>;

/** `accounts.members.list`. */
export const memberListAnswer = z.strictObject({
  data: z.array(member),
  invitations: z.array(invitation),
});

/** `accounts.members.invite`. The link works once and is shown here only. */
export const inviteInput = z.strictObject({ email, role: z.enum(roles).default("member") });
export const inviteAnswer = z.strictObject({ invitation, link: z.url() });

/** `accounts.members.withdraw`: an invitation whose link was not used ends. Answers it. */
export const withdrawInput = z.strictObject({ id: z.string().max(60) });

/** `accounts.members.setRole`. The last owner cannot be made a member: 409 `conflict`. */
export const setRoleInput = z.strictObject({ user_id: userId, role: z.enum(roles) });

/** `accounts.members.remove`. The last owner cannot be removed: 409 `conflict`. */
export const removeMemberInput = z.strictObject({ user_id: userId });

/** `accounts.overview`: the dashboard's counters. */
export const overviewAnswer = z.strictObject({
  counts: workflowCounts,
  needs_review: z.int().min(0).meta({ description: "Cards that the review asks about." }),
  open_batches: z.int().min(0),
  dropped_events: z.int().min(0),
  asking_value: totalMoney.meta({ description: "Asking price times quantity, unsold cards." }),
  cost: totalMoney.meta({ description: "Purchase price times quantity, unsold cards." }),
});
export type Overview = z.output<typeof overviewAnswer>;

/** `accounts.settings.get` and, every member optional, `accounts.settings.update`; both answer this. */
const settingsShape = {
  name: filledText(100),
  sku_format: filledText(40).meta({
    description: "`{batch}` is the batch's code, `{n:5}` the card's number in five digits.",
    examples: ["{batch}-{n:5}"],
  }),
  location_separator: text(3)
    .min(1)
    .regex(/^[^\p{L}\p{N}*]+$/u, "Must be of signs or spaces, without letters, digits and *")
    .meta({ description: "What stands between the parts of a location.", examples: ["/"] }),
  review_threshold: z
    .number()
    .min(0.85)
    .max(1)
    .meta({ description: "An identification below this confidence goes to review." }),
  high_value_limit: totalMoney
    .nullable()
    .meta({ description: "An identification of a card worth more goes to review." }),
  title_template: filledText(templateMaxima.title).nullable().meta({
    description: "Of listings. Null: the service's own.",
  }),
  description_template: filledText(templateMaxima.description).nullable(),
};
export const accountSettings = z.strictObject(settingsShape);
export type AccountSettingsAnswer = z.output<typeof accountSettings>;
export const accountSettingsUpdate = z.strictObject(settingsShape).partial();

/** Who did what to keys, secrets, members, endpoints and the account itself. */
export const trailEntry = z.strictObject({
  id: z.string(),
  actor: z.strictObject({
    kind: z.enum(["member", "token", "operator", "system"]),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  action: z.string().meta({ examples: ["key.created"] }),
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});
export type TrailEntry = z.output<typeof trailEntry>;

/** `accounts.trail`, the latest first. */
export const trailInput = z.strictObject({
  about: z.array(z.enum(trailSubjects)).min(1).optional(),
  since: requestTime.optional(),
  until: requestTime.optional(),
  ...pageShape,
});
export type TrailInput = z.output<typeof trailInput>;
export const trailAnswer = z.strictObject({
  data: z.array(trailEntry),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  total: listTotal,
});

const linkToken = z.string().min(1).max(200);

/** `signIn.invitation`: what a link invites to. Needs no session. */
export const invitationTokenInput = z.strictObject({ token: linkToken });
export const invitationPreview = z.strictObject({
  account_name: z.string(),
  email,
  role: z.enum(roles),
  expires_at: timestamp,
  /** Then the person signs in first, and accepts without a new name and password. */
  has_sign_in: z.boolean(),
});

/** `signIn.acceptInvitation`. Somebody who can sign in already is signed in, and gives neither. */
export const acceptInvitationInput = z.strictObject({
  token: linkToken,
  name: filledText(100).optional(),
  password: z.string().max(200).optional(),
});
export const acceptInvitationAnswer = z.strictObject({ account_id: accountId, email });
