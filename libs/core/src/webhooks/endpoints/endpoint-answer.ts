import { VaultError } from "@cardvault/contract";
import type { WebhookEndpoint } from "@cardvault/contract";
import { lockEndpoint } from "@cardvault/db";
import type { Queryable, StoredEndpoint } from "@cardvault/db";
import { settleSecrets } from "@cardvault/domain";
import type { SigningSecrets } from "@cardvault/domain";
import { isId } from "@cardvault/kit";

/** The sealed secrets as they stand at a moment: past the switch of a rotation the next is current. */
export function sealedSecretsOf(endpoint: StoredEndpoint, now: Date): SigningSecrets<string> {
  const { sealedSecret: current, sealedNextSecret: next, secretSwitchAt: switchAt } = endpoint;
  return settleSecrets({ current, next, switchAt }, now);
}

/** The endpoint with other secrets. */
export function withSecrets(
  endpoint: StoredEndpoint,
  { current, next, switchAt }: SigningSecrets<string>,
): StoredEndpoint {
  return {
    ...endpoint,
    sealedSecret: current,
    sealedNextSecret: next,
    secretSwitchAt: switchAt,
  };
}

/** What an account sees of an endpoint: everything but its secrets. */
export function endpointAnswer(endpoint: StoredEndpoint, now: Date): WebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    secret_switches_at: sealedSecretsOf(endpoint, now).switchAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

/**
 * An endpoint of the account, locked until the transaction ends.
 * @throws VaultError `not_found` for an id that is unknown, malformed, removed or of another account.
 */
export async function requireEndpoint(
  tx: Queryable,
  accountId: string,
  endpointId: string,
): Promise<StoredEndpoint> {
  const endpoint = isId("whe", endpointId) ? await lockEndpoint(tx, accountId, endpointId) : null;
  if (endpoint === null) throw new VaultError("not_found");
  return endpoint;
}
