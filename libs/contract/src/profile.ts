import * as z from "zod";
import { email } from "./accounts.ts";
import { userId } from "./ids.ts";
import { filledText, text, timestamp } from "./text.ts";

/** A browser in which somebody is signed in. */
export const personSession = z.strictObject({
  id: z.string(),
  /** The one that asks. */
  is_current: z.boolean(),
  user_agent: z.string().nullable(),
  ip_address: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type PersonSession = z.output<typeof personSession>;

/** `signIn.sessions`: of the person who asks, the latest first. Needs no account. */
export const personSessionsAnswer = z.strictObject({ data: z.array(personSession) });

/** `signIn.endSession`, and `signIn.endOtherSessions`, which takes no input; both answer how many ended. */
export const endSessionInput = z.strictObject({ id: text(200) });
export const endSessionsAnswer = z.strictObject({ ended: z.int().min(0) });

/** `signIn.rename`: one's own name, as members and the trail show it. */
export const renamePersonInput = z.strictObject({ name: filledText(100) });
export const renamePersonAnswer = z.strictObject({ id: userId, name: z.string(), email });
