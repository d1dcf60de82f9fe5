import { lookup, Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { checkResolved, type Target } from './url-rule.ts';
import { type Allowlist, allowsAddress } from './allowlist.ts';

/** All addresses of a name, IPv4 first. Rejects, or gives none, where the name is not known; stops at the signal. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

/** Where names are asked: DNS for the public ones, the system (hosts file, search domains) for those the operator listed. */
export type Resolvers = { dns: ResolveName; system: ResolveName };

export type Resolution =
  | { ok: true; addresses: string[] }
  | { ok: false; kind: 'refused' | 'unresolved'; reason: string };

/**
 * Asks the DNS servers directly. Not `dns.lookup`: that blocks one of four threads of the whole process for as long
 * as a hostile name server likes, so four such names would stop every other look-up and file access.
 */
export const askDns: ResolveName = async (name, signal) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

export const askSystem: ResolveName = async (name) => {
  const answers = await lookup(name, { all: true, order: 'ipv4first' });
  return answers.map((answer) => answer.address);
};

export const systemResolvers: Resolvers = { dns: askDns, system: askSystem };

/**
 * The addresses a target may be connected to. The name is asked once, and refused when any of its answers is bad:
 * a name with one good and one bad address is an attack or a mistake.
 */
export async function resolveTarget(
  target: Target,
  allowlist: Allowlist,
  resolvers: Resolvers,
  signal: AbortSignal,
): Promise<Resolution> {
  // `dns.lookup` cannot be stopped, only left behind.
  const addresses = await Promise.race([
    addressesOf(target, allowlist, resolvers, signal),
    rejectedWhenAborted(signal),
  ]);
  signal.throwIfAborted();
  if (addresses.length === 0)
    return { ok: false, kind: 'unresolved', reason: `${target.host} has no address` };
  for (const address of addresses) {
    const decision = checkResolved(target, address, allowlist);
    if (!decision.ok) {
      const reason =
        address === target.host
          ? decision.reason
          : `${target.host} leads to an address that is refused: ${decision.reason}`;
      return { ok: false, kind: 'refused', reason };
    }
  }
  return { ok: true, addresses };
}

async function addressesOf(
  target: Target,
  allowlist: Allowlist,
  resolvers: Resolvers,
  signal: AbortSignal,
): Promise<string[]> {
  const { host } = target;
  if (ipaddr.isValid(host)) return [host];
  if (target.addresses === 'any') return orNone(resolvers.system(host, signal));
  // This machine is known by both loopback addresses whatever a hosts file says; the operator may have listed one of them.
  if (host === 'localhost')
    return ['127.0.0.1', '::1'].filter((address) => allowsAddress(allowlist, address, target.port));
  if (target.addresses === 'listed') return orNone(resolvers.system(host, signal));
  return orNone(resolvers.dns(host, signal));
}

async function orNone(answers: Promise<string[]>): Promise<string[]> {
  try {
    return await answers;
  } catch {
    return [];
  }
}

/** Rejects with the signal's reason once it aborts. */
export function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
