import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { IncomingRefusal } from '#lib/ports/carrier.ts';
import { callbackUrl, streamUrl, type TwilioSettings } from './settings.ts';
import { streamToken } from './signature.ts';

/** How long whom a call is handed to may let it ring. */
const RING_SECONDS = 30;

/** Brings the sound of the call to us, both ways; asks what comes next where the stream ends and the call does not. */
export function connectTwiml(settings: TwilioSettings, reference: string): string {
  const response = new VoiceResponse();
  const connect = response.connect({ action: callbackUrl(settings, 'after', reference), method: 'POST' });
  const stream = connect.stream({ url: streamUrl(settings, reference) });
  stream.parameter({ name: 'token', value: streamToken(settings, reference) });
  return response.toString();
}

export function hangUpTwiml(): string {
  const response = new VoiceResponse();
  response.hangup();
  return response.toString();
}

/** Calls somebody else instead of us, and tells what becomes of it. */
export function transferTwiml(
  settings: TwilioSettings,
  reference: string,
  { to, callerId }: { to: string; callerId: string },
): string {
  const response = new VoiceResponse();
  const dial = response.dial({
    callerId,
    answerOnBridge: true,
    timeout: RING_SECONDS,
    action: callbackUrl(settings, 'transferred', reference),
    method: 'POST',
  });
  dial.number(
    {
      statusCallback: callbackUrl(settings, 'transfer-status', reference),
      statusCallbackMethod: 'POST',
      statusCallbackEvent: ['answered'],
    },
    to,
  );
  return response.toString();
}

/** What a caller hears whose call is not taken. */
export function refusalTwiml(reason: IncomingRefusal): string {
  const response = new VoiceResponse();
  if (reason === 'unknown_number') response.reject();
  else if (reason === 'at_capacity') response.reject({ reason: 'busy' });
  else {
    response.say('We are sorry, your call cannot be taken at the moment. Please try again later. Goodbye.');
    response.hangup();
  }
  return response.toString();
}
