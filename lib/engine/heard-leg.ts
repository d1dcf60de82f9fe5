import { createAsyncQueue } from '#lib/async-queue.ts';
import type { LegEvent, SpokenLeg } from '#lib/ports/carrier.ts';
import type { MediaStream } from '#lib/ports/media.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import type { Listen, Listening } from './listening/listening.ts';
import { trackSpeaking } from './track-speaking.ts';

export type HeardLegOptions = {
  /** The sound of the person. */
  media: Pick<MediaStream, 'onFrame'>;
  transcriber: Transcriber;
  listening: ListeningOptions;
  listen(options: Listen): Listening;
};

/**
 * The same leg, on which the agent listens to a person who tells none of their words: a simulated one who really speaks.
 * Nothing of the leg begins before its events are read.
 */
export function openHeardLeg<Leg extends SpokenLeg>(leg: Leg, options: HeardLegOptions): Leg {
  const { clock } = leg;
  const events = createAsyncQueue<LegEvent>();
  const speaking = trackSpeaking(clock, (isSpeaking) => listening?.agentSpeaking(isSpeaking));
  let listening: Listening | undefined;
  let isRead = false;

  async function follow(): Promise<void> {
    for await (const event of leg.events) {
      if (event.type === 'answered')
        listening = options.listen({
          media: options.media,
          clock,
          transcriber: options.transcriber,
          options: options.listening,
          onEvent: events.push,
        });
      events.push(event);
    }
  }

  function end(): void {
    listening?.close();
    events.close();
  }

  return {
    ...leg,
    events: {
      [Symbol.asyncIterator]() {
        if (!isRead) void follow().then(end, end);
        isRead = true;
        return events[Symbol.asyncIterator]();
      },
    },
    speak(request) {
      const said = leg.speak(request);
      speaking.follow(said);
      void said.started.then((atMs) => {
        if (atMs !== undefined) listening?.agentSaid(request.text);
      });
      return said;
    },
  };
}
