import type { Role } from "@cardvault/contract";

export const roleWords: Record<Role, string> = { owner: "Owner", member: "Member" };
