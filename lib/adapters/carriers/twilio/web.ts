import type { CarrierReply, CarrierWeb } from '#lib/ports/carrier-web.ts';
import type { CarrierNews, TakeIncoming } from '#lib/ports/carrier.ts';
import { TWILIO_PATH, type TwilioSettings } from './settings.ts';
import { isSignedConnection, isSignedForm } from './signature.ts';
import { connectTwiml, hangUpTwiml, refusalTwiml } from './twiml.ts';

const XML = 'text/xml; charset=utf-8';
const MOST_FIELDS = 100;
/** Topics that Twilio only tells of. The others ask what comes next. */
const TOLD = new Set(['status', 'machine', 'transfer-status']);
const ASKED = new Set(['after', 'transferred']);
/** What stands in `From` where the caller's number is not shown (twilio.com/docs/glossary/what-e164, help centre). */
const WITHHELD =
  /^\+?(266696687|7378742833|2562533|8566696687|86282452253|464)$|^(anonymous|restricted|unavailable|unknown)$/i;

/** The door for Twilio's servers: calls that come in, and what is told of calls. */
export function createTwilioWeb(
  settings: TwilioSettings,
  deps: {
    take: TakeIncoming;
    /** See `Carrier.receive`. */
    tell(reference: string, news: CarrierNews): Promise<string | undefined>;
    /** Whether another process may run the call. */
    isRunning(reference: string): Promise<boolean>;
  },
): CarrierWeb {
  async function takeCall(fields: Record<string, string>): Promise<CarrierReply> {
    const { CallSid: reference = '', To: to = '', From: from = '', AccountSid: account } = fields;
    if (reference === '' || account !== settings.accountSid) return { status: 400 };
    const answer = await deps.take({ reference, to, from: WITHHELD.test(from) ? null : from });
    return xml(answer.ok ? connectTwiml(settings, reference) : refusalTwiml(answer.reason));
  }

  return {
    incomingPath: `${TWILIO_PATH}/voice`,

    async reply(request) {
      const fields = readForm(request.body);
      const signature = request.headers['x-twilio-signature'];
      if (!fields || !isSignedForm(settings, { url: request.url, signature, fields })) return { status: 403 };
      const { topic, reference } = request;
      if (topic === 'voice' && reference === undefined) return takeCall(fields);
      if (reference === undefined || !(TOLD.has(topic) || ASKED.has(topic))) return { status: 404 };
      const reply = await deps.tell(reference, { topic, fields });
      if (TOLD.has(topic)) return { status: 204 };
      if (reply !== undefined) return xml(reply);
      // Where another process runs it, the next try may get there. Of a call that is over nothing is left to say.
      return xml((await deps.isRunning(reference)) ? connectTwiml(settings, reference) : hangUpTwiml());
    },

    isGenuine: ({ url, headers }) => {
      const signature = headers['x-twilio-signature'];
      return isSignedConnection(settings, {
        url,
        signature: typeof signature === 'string' ? signature : undefined,
      });
    },
  };
}

const xml = (body: string): CarrierReply => ({ status: 200, contentType: XML, body });

/** Undefined for what Twilio would not send: too many fields, or one twice. */
function readForm(body: string): Record<string, string> | undefined {
  const entries = [...new URLSearchParams(body)];
  const fields = Object.fromEntries(entries);
  const isPlain = entries.length <= MOST_FIELDS && Object.keys(fields).length === entries.length;
  return isPlain ? fields : undefined;
}
