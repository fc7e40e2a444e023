import { rotationSeconds, VaultError } from "@cardvault/contract";
import type { RotationChoice } from "@cardvault/contract";

/**
 * The secrets of an endpoint. `Secret` is whatever stands for one: its text, or its encrypted form.
 * `next` and `switchAt` are set together. Past the moment `next` signs, though no row was written.
 */
export type SigningSecrets<Secret> = {
  current: Secret;
  next: Secret | null;
  switchAt: Date | null;
};

/** The secrets as they stand at a moment: past the switch, the next is the current one. */
export function settleSecrets<Secret>(
  secrets: SigningSecrets<Secret>,
  now: Date,
): SigningSecrets<Secret> {
  const { next, switchAt } = secrets;
  if (next === null || switchAt === null || now < switchAt) return secrets;
  return { current: next, next: null, switchAt: null };
}

/** The one secret that signs `X-Vault-Signature`, whose form has room for no second (spec, section 5). */
export function vaultSignatureSecret<Secret>(secrets: SigningSecrets<Secret>, now: Date): Secret {
  return settleSecrets(secrets, now).current;
}

/** The secrets that sign `webhook-signature`: both during a rotation, as Standard Webhooks allows. */
export function standardSignatureSecrets<Secret>(
  secrets: SigningSecrets<Secret>,
  now: Date,
): Secret[] {
  const { current, next } = settleSecrets(secrets, now);
  return next === null ? [current] : [current, next];
}

/**
 * Begins a rotation: the new secret is shown now and signs from the chosen moment on.
 * @throws VaultError `conflict` while an earlier rotation waits for its moment.
 */
export function rotateSecret<Secret>(
  secrets: SigningSecrets<Secret>,
  next: Secret,
  choice: RotationChoice,
  now: Date,
): SigningSecrets<Secret> {
  const { current, switchAt } = settleSecrets(secrets, now);
  if (switchAt !== null) {
    throw new VaultError("conflict", {
      message: "A rotation is waiting for its moment; bring that forward first.",
    });
  }
  const begun = {
    current,
    next,
    switchAt: new Date(now.getTime() + rotationSeconds[choice] * 1_000),
  };
  return settleSecrets(begun, now);
}

/**
 * Brings the switch of a rotation forward to now.
 * @throws VaultError `conflict` where no rotation is waiting.
 */
export function switchSecretNow<Secret>(
  secrets: SigningSecrets<Secret>,
  now: Date,
): SigningSecrets<Secret> {
  const { current, next } = settleSecrets(secrets, now);
  if (next === null) throw new VaultError("conflict", { message: "No rotation is waiting." });
  return settleSecrets({ current, next, switchAt: now }, now);
}
