import { router } from "../procedures.ts";
import { getSettingsProcedure, updateSettingsProcedure } from "./account-settings.ts";
import { createTestAccountProcedure } from "./create-test-account.ts";
import { currentAccountProcedure } from "./current-account.ts";
import { listMyAccountsProcedure } from "./list-my-accounts.ts";
import { listTrailProcedure } from "./list-trail.ts";
import { dashboardProcedure } from "./read-dashboard.ts";
import { overviewProcedure } from "./read-overview.ts";
import { inviteMemberProcedure } from "./members/invite-member.ts";
import { listMembersProcedure } from "./members/list-members.ts";
import { removeMemberProcedure } from "./members/remove-member.ts";
import { setRoleProcedure } from "./members/set-role.ts";
import { withdrawInvitationProcedure } from "./members/withdraw-invitation.ts";

export const accountsRouter = router({
  current: currentAccountProcedure,
  mine: listMyAccountsProcedure,
  createTest: createTestAccountProcedure,
  members: router({
    list: listMembersProcedure,
    invite: inviteMemberProcedure,
    withdraw: withdrawInvitationProcedure,
    setRole: setRoleProcedure,
    remove: removeMemberProcedure,
  }),
  settings: router({
    get: getSettingsProcedure,
    update: updateSettingsProcedure,
  }),
  overview: overviewProcedure,
  dashboard: dashboardProcedure,
  trail: listTrailProcedure,
});
