import { router } from "../procedures.ts";
import { acceptInvitationProcedure, readInvitationProcedure } from "./accept-invitation.ts";

export const signInRouter = router({
  invitation: readInvitationProcedure,
  acceptInvitation: acceptInvitationProcedure,
});
