import type { LegEvent, NeverConnectedReason, SpokenLeg } from '#lib/ports/carrier.ts';
import type { CallPlan } from '../plan.ts';
import { isBackchannelIn } from '../languages/backchannels.ts';
import { soundsLikeMachine } from '../voicemail-words.ts';

/** Whoever has not answered by then is not there. */
const RING_MS = 30_000;
/** After the briefing was heard, and after it was said once more. */
const DECIDE_MS = 8_000;
/** Longer answers are greetings of machines, or questions that the agent cannot answer here. */
const MOST_WORDS = 6;
const REFUSAL =
  /\b(no|nope|not|don't|can't|cannot|nein|nicht|nee|niet|nej|nei|ei|non|pas|nie|ne|não|hayır)\b/iu;
const TAKEN = '1';
/** Somebody who has not heard what was said. */
const GREETING = /^\W*(hello|hi|hey|hallo|hola|allô|pronto|ciao|halo|haló|alo|hei|hej)\W*$/iu;

const UNREACHED: Record<NeverConnectedReason, string> = {
  no_answer: 'the other party did not answer',
  busy: 'the other party was busy',
  rejected: 'the other party did not take the call',
  network_failure: 'the other party could not be reached',
};

/** `hungUp` resolves when the other party's line is over. */
export type Consulted = { ok: true; hungUp: Promise<void> } | { ok: false; reason: string };

/**
 * Talks with whom the call is to be handed to: waits for the answer, says what it is about, and asks for a yes or the key
 * 1, so that no machine takes the call. Where they do not take it their line is closed.
 */
export async function consult(
  colleague: SpokenLeg,
  options: { briefing: string; plan: CallPlan; signal: AbortSignal },
): Promise<Consulted> {
  const { promise: decided, resolve: decide } = Promise.withResolvers<string | undefined>();
  const over = new AbortController();
  const ringing = new AbortController();
  let hasHeardBriefing = false;

  const say = () =>
    colleague
      .speak({
        text: options.briefing,
        voiceId: options.plan.voiceId,
        language: options.plan.listening.language,
      })
      .finished.catch(() => decide('the agent could not speak to the other party'));

  async function brief(): Promise<void> {
    for (const _ of ['at first', 'once more']) {
      await say();
      hasHeardBriefing = true;
      await colleague.clock.sleep(DECIDE_MS, over.signal);
    }
    decide('the other party did not take the call');
  }

  function hear(event: LegEvent): void {
    if (event.type === 'never_connected') decide(UNREACHED[event.reason]);
    else if (event.type === 'hangup') decide('the other party hung up');
    else if (event.type === 'machine_detected') decide('an answering machine answered');
    else if (event.type === 'answered') {
      ringing.abort();
      if (event.by === 'machine') decide('an answering machine answered');
      else brief().catch(() => undefined);
    } else if (event.type === 'digit' && event.digit === TAKEN) decide(undefined);
    else if (event.type === 'utterance') {
      const answer = answerOf(event.text, options.plan.language.lines.backchannels);
      if (answer === 'machine') decide('an answering machine answered');
      // A greeting is no answer to what was not said yet.
      else if (hasHeardBriefing && answer === 'yes') decide(undefined);
      else if (hasHeardBriefing && answer === 'no') decide('the other party did not take the call');
    }
  }

  colleague.clock.sleep(RING_MS, ringing.signal).then(
    () => decide(UNREACHED.no_answer),
    () => undefined,
  );
  const onAbort = () => decide('the person hung up');
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  const read = async () => {
    for await (const event of colleague.events) hear(event);
  };
  const hungUp = read().catch(() => decide(UNREACHED.network_failure));

  const answer = await decided;
  over.abort();
  ringing.abort();
  options.signal.removeEventListener('abort', onAbort);
  colleague.stopSpeaking();
  if (answer === undefined) return { ok: true, hungUp };
  await colleague.hangUp();
  return { ok: false, reason: answer };
}

function answerOf(text: string, yeses: readonly string[]): 'yes' | 'no' | 'machine' | undefined {
  if (soundsLikeMachine(text)) return 'machine';
  if (GREETING.test(text)) return undefined;
  if (isBackchannelIn({ backchannels: yeses }, text)) return 'yes';
  const words = text.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  if (REFUSAL.test(text)) return 'no';
  const said = ` ${words.join(' ')} `;
  return yeses.some((yes) => said.includes(` ${yes} `)) ? 'yes' : undefined;
}
