import { createVoiceLevels } from '#lib/media/voice-level.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';

/** A synthesizer all of whose voices are equally loud; how loud each is by itself is learnt from what it says. */
export function createLeveledSpeech(speech: SpeechSynthesizer): SpeechSynthesizer {
  const levels = createVoiceLevels();
  return {
    voices: speech.voices,
    async *synthesize(request) {
      const level = levels.begin(request.voiceId ?? '');
      try {
        for await (const chunk of speech.synthesize(request))
          yield { ...chunk, samples: level.process(chunk.samples) };
      } finally {
        level.end();
      }
    },
  };
}
