import type { RealtimeSettings } from '#lib/ports/realtime.ts';
import type { RealtimeCoding } from './realtime-audio.ts';
import { expectations } from './transcription-options.ts';

export type OpenAiRealtimeOptions = {
  apiKey: string;
  /** Of a compatible server, with its `/v1`; undefined = OpenAI. */
  baseUrl: string | undefined;
  model: string;
  /** Names of the server's voices, the first one the default. */
  voices: readonly string[];
  /** Writes down what people say, for the transcript and for the end of a turn; the model hears the sound itself. */
  transcriptionModel: string;
};

/**
 * About a minute and a half of speech: no answer is longer, whatever the model makes of its instructions. The engine asks
 * the person long before.
 */
const MOST_OUTPUT_TOKENS = 2_400;

/** What a session is set to: our own voice activity decides about turns, so the server's is off. */
export function sessionOf(
  { transcriptionModel }: OpenAiRealtimeOptions,
  { instructions, tools, listening }: RealtimeSettings,
  { voice, coding }: { voice: string; coding: RealtimeCoding },
): Record<string, unknown> {
  const { format } = coding;
  return {
    type: 'realtime',
    instructions,
    output_modalities: ['audio'],
    max_output_tokens: MOST_OUTPUT_TOKENS,
    audio: {
      input: {
        format,
        transcription: { model: transcriptionModel, ...expectations(transcriptionModel, listening) },
        turn_detection: null,
      },
      output: { format, ...(voice === '' ? {} : { voice }) },
    },
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
    })),
    tool_choice: 'auto',
  };
}
