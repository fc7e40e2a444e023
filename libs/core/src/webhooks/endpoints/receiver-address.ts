import { VaultError } from "@cardvault/contract";
import { checkReceiverUrl } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import type { CoreConfig } from "../../services.ts";

/**
 * The address of a receiver in its normal form. What its name resolves to is looked at again at
 * every send.
 * @throws VaultError `validation_failed` for an address that must not be called.
 */
export function requireReceiverUrl(
  config: CoreConfig,
  access: Pick<Access, "environment">,
  url: string,
): string {
  // Both must hold: the start allows it, and nothing of the account is real.
  const allowLoopback = config.allowsLoopbackReceivers && access.environment === "test";
  const check = checkReceiverUrl(url, { allowLoopback, allowedPorts: config.receiverPorts });
  if (check.ok) return check.url.href;
  throw new VaultError("validation_failed", {
    details: [{ path: "url", message: check.message }],
  });
}
