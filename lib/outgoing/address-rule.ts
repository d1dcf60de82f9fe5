import { checkUrl } from './url-rule.ts';
import { parseAllowlist } from './allowlist.ts';
import { type Resolvers, resolveTarget, systemResolvers } from './resolve.ts';

/** A person waits for the save; a name whose servers do not answer by then is checked when it is sent to. */
const RESOLVE_BUDGET_MS = 2000;

/**
 * Judges a URL that somebody wants to save: by its form, then by the addresses its name has now. A public name that
 * does not resolve is accepted, because a receiver may be set up later and sending checks it anyway; a name that only
 * the allowlist's ranges can excuse must resolve into them. `reason` completes the sentence `<field>: …`.
 */
export async function checkWebhookUrl(
  url: string,
  given: { allowlist: readonly string[]; resolvers?: Resolvers },
): Promise<{ ok: true; url: URL } | { ok: false; reason: string }> {
  const allowlist = parseAllowlist(given.allowlist);
  const target = checkUrl(url, allowlist);
  if (!target.ok) return target;
  const resolution = await resolveInTime(() =>
    resolveTarget(
      target,
      allowlist,
      given.resolvers ?? systemResolvers,
      AbortSignal.timeout(RESOLVE_BUDGET_MS),
    ),
  );
  if (resolution.ok || (resolution.kind === 'unresolved' && target.addresses !== 'listed'))
    return { ok: true, url: target.url };
  return { ok: false, reason: resolution.reason };
}

async function resolveInTime(
  resolve: () => ReturnType<typeof resolveTarget>,
): ReturnType<typeof resolveTarget> {
  try {
    return await resolve();
  } catch {
    return { ok: false, kind: 'unresolved', reason: 'the name could not be resolved in time' };
  }
}
