import { personSessionsAnswer } from "@cardvault/contract";
import { listSessions } from "@cardvault/db";
import { personal } from "../procedures.ts";

export const listSessionsProcedure = personal
  .output(personSessionsAnswer)
  .query(async ({ ctx: { services, principal } }) => {
    const rows = await listSessions(services.db, principal.userId, services.clock.now());
    return {
      data: rows.map((row) => ({
        id: row.id,
        is_current: row.id === principal.sessionId,
        user_agent: row.userAgent,
        ip_address: row.ipAddress,
        created_at: row.createdAt.toISOString(),
        expires_at: row.expiresAt.toISOString(),
      })),
    };
  });
