/** What the variables TWILIO_… say (docs/twilio.md). */
export type TwilioSettings = {
  accountSid: string;
  authToken: string;
  /** Without a slash at its end. */
  apiBase: string;
  /** Whether a call that goes out is told from an answering machine by Twilio. */
  detectsMachines: boolean;
  /** The address that Twilio reaches this service by. */
  publicUrl: string;
};

/** Paths below PUBLIC_URL that Twilio asks for. */
export const TWILIO_PATH = '/api/carriers/twilio';

/** The address of a call's topic, for Twilio to ask. */
export function callbackUrl(settings: TwilioSettings, topic: string, reference: string): string {
  return `${settings.publicUrl}${TWILIO_PATH}/${topic}/${encodeURIComponent(reference)}`;
}

/** Where the sound of a call is brought to. */
export function streamUrl(settings: TwilioSettings, reference: string): string {
  return callbackUrl(settings, 'stream', reference).replace(/^http/, 'ws');
}
