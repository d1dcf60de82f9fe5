import type { Env } from '#lib/env.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import type { NumberSetup } from '../contract.ts';

type PhoneEnv = Pick<Env, 'sip' | 'twilio' | 'publicUrl' | 'openai'>;

/** Under the public address: what an operator enters at Twilio. */
const TWILIO_VOICE_PATH = '/api/carriers/twilio/voice';
const HERE = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/;

export function isCarrierReady(env: PhoneEnv, carrier: NumberCarrier): boolean {
  if (carrier === 'sip') return env.sip !== undefined;
  return carrier === 'twilio' ? env.twilio !== undefined : true;
}

/** What the environment says of telephones, without its secrets. */
export function setupOf(env: PhoneEnv): NumberSetup {
  const { sip } = env;
  const url = new URL(env.publicUrl);
  return {
    sip: sip
      ? {
          listen: sip.listen,
          mediaIp: sip.mediaIp ?? null,
          trunkUri: sip.trunkUri ?? null,
          hasCredentials: sip.credentials !== undefined,
          registers: sip.registers,
          allowedPeers: sip.allowedPeers,
        }
      : null,
    twilio: { isOn: env.twilio !== undefined, voiceUrl: `${url.origin}${TWILIO_VOICE_PATH}` },
    isPublic: url.protocol === 'https:' && !HERE.test(url.host),
    canHear: env.openai !== undefined,
  };
}
