import { describeError, type Logger } from '#lib/log.ts';
import type { CarrierState } from '#lib/ports/carrier.ts';
import type { Flow } from './flow.ts';
import { parseNameAddr } from './grammar.ts';
import { header, headerList, type Headers, type SipRequest, type SipResponse } from './message.ts';
import type { Trunk } from './trunk.ts';
import type { UserAgent } from './user-agent.ts';

/** What is asked for; the trunk may grant less. */
const WANTED_SECONDS = 600;
const LEAST_SECONDS = 30;
const AGAIN_AFTER_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;

export type Registration = { state(): 'registered' | 'refused' | 'pending'; stop(): Promise<void> };

/**
 * Tells the trunk where we are, and again before it forgets (RFC 3261, section 10). A trunk that refuses or is silent is
 * asked again, later each time.
 */
export function keepRegistered(options: {
  userAgent: UserAgent;
  trunk: Trunk;
  username: string;
  callId: string;
  makeTag(): string;
  log: Logger;
  /** Each time that it changes. */
  onState?: ((state: CarrierState) => void) | undefined;
}): Registration {
  const { userAgent, trunk, username, callId, makeTag, log, onState } = options;
  const address = trunk.callerOf(encodeURIComponent(username));
  const localTag = makeTag();
  let seq = 0;
  let state: 'registered' | 'refused' | 'pending' = 'pending';
  let failures = 0;
  let wantedSeconds = WANTED_SECONDS;
  let stopWaiting = () => {};
  let isStopped = false;

  function request(flow: Flow, seconds: number): SipRequest {
    seq += 1;
    const headers: Headers = new Map([
      ['max-forwards', ['70']],
      ['from', [`<${address}>;tag=${localTag}`]],
      ['to', [`<${address}>`]],
      ['call-id', [callId]],
      ['cseq', [`${seq} REGISTER`]],
      ['contact', [userAgent.contactOn(flow)]],
      ['expires', [String(seconds)]],
      ['allow', [userAgent.allow]],
    ]);
    return { kind: 'request', method: 'REGISTER', uri: trunk.uri, headers, body: '' };
  }

  function failed(why: string): void {
    failures += 1;
    if (state !== 'refused') {
      log.warn({ event: 'sip_registration_failed', why });
      onState?.({ state: 'failed', reason: `The trunk does not register us: ${why}` });
    }
    state = 'refused';
    next(Math.min(LONGEST_WAIT_MS, AGAIN_AFTER_MS * 2 ** (failures - 1)));
  }

  function next(ms: number): void {
    stopWaiting();
    if (!isStopped) stopWaiting = userAgent.timers.after(ms, () => void register());
  }

  function receive(response: SipResponse, flow: Flow): void {
    if (response.status < 200) return;
    if (response.status === 423) {
      wantedSeconds = Math.max(wantedSeconds, Number(header(response, 'min-expires')) || WANTED_SECONDS);
      return failed('asked for too short a time (423)');
    }
    if (response.status >= 300) return failed(String(response.status));
    if (state !== 'registered') {
      log.info({ event: 'sip_registered' });
      onState?.({ state: 'registered' });
    }
    state = 'registered';
    failures = 0;
    // Shortly before it runs out: a message may be lost.
    const seconds = Math.max(LEAST_SECONDS, grantedSeconds(response, flow));
    next(seconds * 1_000 * 0.8);
  }

  /** Of our binding; other telephones may be registered beside us. */
  function grantedSeconds(response: SipResponse, flow: Flow): number {
    const own = parseNameAddr(userAgent.contactOn(flow))?.uri;
    const contacts = headerList(response, 'contact').map((value) => parseNameAddr(value));
    const granted = (contacts.find((contact) => contact?.uri === own) ?? contacts[0])?.params.get('expires');
    return Number(granted ?? header(response, 'expires') ?? wantedSeconds) || wantedSeconds;
  }

  async function register(): Promise<void> {
    try {
      const flow = await userAgent.flowTo(trunk.uri);
      await userAgent.send(
        request(flow, wantedSeconds),
        { onResponse: (response) => receive(response, flow), onFailed: (why) => failed(why) },
        { via: flow, onChallenged: () => (seq += 1) },
      );
    } catch (error) {
      failed(describeError(error));
    }
  }

  onState?.({ state: 'registering' });
  void register();
  return {
    state: () => state,
    async stop() {
      isStopped = true;
      stopWaiting();
      if (state !== 'registered') return;
      const flow = await userAgent.flowTo(trunk.uri);
      // The answer is not waited for longer than the end of the process allows.
      await new Promise<void>((resolve) => {
        const giveUp = userAgent.timers.after(1_000, resolve);
        const done = () => {
          giveUp();
          resolve();
        };
        void userAgent.send(
          request(flow, 0),
          { onResponse: ({ status }) => status >= 200 && done(), onFailed: done },
          { via: flow, onChallenged: () => (seq += 1) },
        );
      });
    },
  };
}
