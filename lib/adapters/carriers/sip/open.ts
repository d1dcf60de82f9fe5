import { readFile } from 'node:fs/promises';
import { describeError, type Logger } from '#lib/log.ts';
import type { Carrier, CarrierState, TakeIncoming } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import { isInNetworks, type SipSettings } from '#lib/sip-settings.ts';
import { openSipCarrier, type SipCarrier } from './carrier.ts';
import { protocolOf } from './resolve.ts';
import { parseUri } from './grammar.ts';
import { createRtpThread } from './rtp-threads.ts';
import { readTrunk } from './trunk.ts';

const TOKEN_BYTES = 12;
/** The process that had the port before may be on its way out. */
const LISTEN_TRIES = 20;
const LISTEN_AGAIN_MS = 500;

type SipDeps = { clock: CallClock; ids: Ids; log: Logger };

/**
 * The SIP carrier as the environment names it. Nothing is opened before the first call, or before `listen`. A process
 * that does not listen dials from a port of its own, as only one can have the configured one.
 */
export function createSipCarrier(settings: SipSettings, deps: SipDeps): Carrier & { close(): Promise<void> } {
  let listening: Promise<SipCarrier> | undefined;
  let dialling: Promise<SipCarrier> | undefined;
  const rtp = createRtpThread({ ...deps, ports: settings.rtpPorts });

  async function open(
    endpoints: Pick<SipSettings, 'listen' | 'registers'>,
    take: TakeIncoming | undefined,
    onState?: (state: CarrierState) => void,
  ) {
    const { tls, trunkUri, allowedPeers } = settings;
    const { ids } = deps;
    rtp.prepare();
    return openSipCarrier({
      ...deps,
      ...endpoints,
      mediaIp: settings.mediaIp,
      openRtp: rtp.open,
      formerPort: trunkEndpoints()[0]?.port,
      tls: tls && {
        certificate: await readFile(tls.certificateFile, 'utf8'),
        key: await readFile(tls.keyFile, 'utf8'),
      },
      trunk: trunkUri === undefined ? undefined : readTrunk(trunkUri),
      credentials: settings.credentials,
      realms: settings.realms,
      isAllowed: (address) => take !== undefined && isInNetworks(address, allowedPeers),
      take: take ?? (async () => ({ ok: false, reason: 'failed' })),
      onState,
      // In hexadecimal, as some peers take tags and branches for equal that differ in case only.
      makeToken: () => Buffer.from(ids.secret(TOKEN_BYTES), 'base64url').toString('hex'),
      random32: () => Buffer.from(ids.secret(4), 'base64url').readUInt32BE(),
    });
  }

  async function openListening(
    take: TakeIncoming,
    onState: ((state: CarrierState) => void) | undefined,
  ): Promise<SipCarrier> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await open(settings, take, onState);
      } catch (error) {
        if (tries === LISTEN_TRIES) {
          onState?.({ state: 'failed', reason: describeError(error) });
          throw error;
        }
        await deps.clock.sleep(LISTEN_AGAIN_MS);
      }
    }
  }

  /** Those over which the trunk is reached. */
  function trunkEndpoints(): SipSettings['listen'] {
    const uri = parseUri(settings.trunkUri ?? '');
    const wanted = uri && protocolOf(uri);
    return settings.listen.filter(({ protocol }) => protocol === wanted);
  }

  /** On the configured addresses, with ports of its own. */
  function openDialling(): Promise<SipCarrier> {
    const listen = settings.listen.map((endpoint) => ({ ...endpoint, port: 0 }));
    return open({ listen, registers: false }, undefined);
  }

  /** Those that could be opened. */
  async function opened(): Promise<SipCarrier[]> {
    const carriers: SipCarrier[] = [];
    for (const each of [listening, dialling]) {
      const carrier = await each?.catch(() => undefined);
      if (carrier) carriers.push(carrier);
    }
    return carriers;
  }

  return {
    kind: 'sip',
    async listen(take, onState) {
      listening ??= openListening(take, onState);
      await listening;
    },
    async dial(request) {
      const carrier = await (listening ?? (dialling ??= openDialling()));
      return carrier.dial(request);
    },
    async pickUp(reference) {
      if (!listening) throw new Error('Nobody calls in here');
      return (await listening).pickUp(reference);
    },
    async lookup(reference, placed) {
      // What a process before this one dialled may ring on; nothing else has to be open for that.
      const mayBeLeft = settings.trunkUri !== undefined || placed?.trace !== undefined;
      if (!listening && !dialling && mayBeLeft) dialling = openDialling();
      for (const carrier of await opened()) {
        const found = await carrier.lookup(reference, placed);
        if (found !== 'unknown') return found;
      }
      return 'unknown';
    },
    async close() {
      for (const carrier of await opened()) await carrier.close();
      await rtp.close();
    },
  };
}
