import { router } from "../procedures.ts";
import { endOtherSessionsProcedure, endSessionProcedure } from "./end-sessions.ts";
import { listSessionsProcedure } from "./list-sessions.ts";
import { renamePersonProcedure } from "./rename-person.ts";
import { acceptInvitationProcedure, readInvitationProcedure } from "./accept-invitation.ts";

export const signInRouter = router({
  invitation: readInvitationProcedure,
  acceptInvitation: acceptInvitationProcedure,
  rename: renamePersonProcedure,
  sessions: listSessionsProcedure,
  endSession: endSessionProcedure,
  endOtherSessions: endOtherSessionsProcedure,
});
