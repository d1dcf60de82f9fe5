import { createHash } from 'node:crypto';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { WorkspaceId } from './actor.ts';
import { mintWorkspaceId } from './mint.ts';
import { findActiveKey, touchKey } from './repository.ts';

/** What authentication needs to know about a key. */
export type KnownKey = { id: string; name: string; workspaceId: WorkspaceId };

type Entry = { key: KnownKey | undefined; loadedAtMs: number };

/** A revoked key works for at most this long on other processes; on this one it stops at once. Promised: 5 s. */
const MAX_AGE_MS = 3_000;
const MAX_ENTRIES = 10_000;
const TOUCH_EVERY_MS = 60_000;

export type KeyRing = ReturnType<typeof createKeyRing>;

/**
 * Looks API keys up, remembering answers (also "no such key") for three seconds. Bounded: the least recently loaded
 * goes first. Holds hashes only, never a key.
 */
export function createKeyRing(deps: Pick<Dependencies, 'db' | 'clock' | 'log'>) {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<KnownKey | undefined>>();
  const touchedAtMs = new Map<string, number>();

  async function load(hash: string): Promise<KnownKey | undefined> {
    // The age counts from before the query, so that a revocation committed meanwhile is not outlived.
    const loadedAtMs = deps.clock.now().getTime();
    const row = await findActiveKey(deps.db, hash);
    const key = row && { id: row.id, name: row.name, workspaceId: mintWorkspaceId(row.workspaceId) };
    entries.delete(hash);
    entries.set(hash, { key, loadedAtMs });
    if (entries.size > MAX_ENTRIES) dropOldest(entries);
    return key;
  }

  function loadOnce(hash: string): Promise<KnownKey | undefined> {
    const running = loading.get(hash);
    if (running) return running;
    const started = load(hash).finally(() => loading.delete(hash));
    loading.set(hash, started);
    return started;
  }

  function touch(keyId: string, nowMs: number): void {
    if (nowMs - (touchedAtMs.get(keyId) ?? -Infinity) < TOUCH_EVERY_MS) return;
    touchedAtMs.set(keyId, nowMs);
    if (touchedAtMs.size > MAX_ENTRIES) dropOldest(touchedAtMs);
    touchKey(deps.db, keyId, new Date(nowMs)).catch((error: unknown) => {
      deps.log.warn({ event: 'key_touch_failed', keyId, error: describeError(error) });
    });
  }

  return {
    /** The active key with this text, or undefined. Notes the use at most once a minute, without waiting for it. */
    async find(text: string): Promise<KnownKey | undefined> {
      const hash = hashKey(text);
      const nowMs = deps.clock.now().getTime();
      const entry = entries.get(hash);
      const key = entry && nowMs - entry.loadedAtMs < MAX_AGE_MS ? entry.key : await loadOnce(hash);
      if (key) touch(key.id, nowMs);
      return key;
    },
    /** Forgets what this process knows of a key, after its revocation. */
    forget(hash: string): void {
      entries.delete(hash);
      loading.delete(hash);
    },
    size: () => entries.size,
  };
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

/** SHA-256, hex. Enough for keys of 256 random bits; a slow hash would only slow every request. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
