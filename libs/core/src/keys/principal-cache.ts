import { LRUCache } from "lru-cache";
import type { Clock } from "@cardvault/kit";
import type { TokenPrincipal } from "../context.ts";

/** NOTIFY channel that says: a key, an account, a membership or a session has changed, forget what you know. */
export const principalsChannel = "vault_principals";

const maxPrincipals = 10_000;
/** The longest that a revocation could go unseen where a notification got lost. */
const keepMs = 5_000;

interface CachedPrincipal {
  principal: TokenPrincipal;
  keptUntil: number;
}

/** Principals by the hash of their token, for at most five seconds and only while somebody listens. */
export interface PrincipalCache {
  get(hash: Buffer): TokenPrincipal | undefined;
  /** @param generation of {@link PrincipalCache.generation} before the look-up began. */
  set(hash: Buffer, principal: TokenPrincipal, expiresAt: Date | null, generation: number): void;
  /** Forgets everything: keys change rarely, and a whole table is filled again in no time. */
  clear(): void;
  /** Counts the clearings. A look-up that was under way during one is not kept. */
  generation(): number;
  /** Whether a key's use was not noted within the time before, by this process; notes it then. */
  isUseDue(keyId: string, now: Date, everyMs: number): boolean;
}

/** @param isListening whether a revocation in another process would be heard of. */
export function createPrincipalCache(clock: Clock, isListening: () => boolean): PrincipalCache {
  const cached = new LRUCache<string, CachedPrincipal>({ max: maxPrincipals });
  const usedAt = new LRUCache<string, number>({ max: maxPrincipals });
  let generation = 0;
  return {
    get(hash) {
      if (!isListening()) return undefined;
      const found = cached.get(hash.toString("base64"));
      if (found === undefined || found.keptUntil <= clock.now().getTime()) return undefined;
      return found.principal;
    },
    set(hash, principal, expiresAt, generationBefore) {
      if (!isListening() || generationBefore !== generation) return;
      const keptUntil = Math.min(
        clock.now().getTime() + keepMs,
        expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      );
      cached.set(hash.toString("base64"), { principal, keptUntil });
    },
    clear() {
      generation += 1;
      cached.clear();
    },
    generation: () => generation,
    isUseDue(keyId, now, everyMs) {
      const notedAt = usedAt.get(keyId);
      if (notedAt !== undefined && now.getTime() - notedAt < everyMs) return false;
      usedAt.set(keyId, now.getTime());
      return true;
    },
  };
}
