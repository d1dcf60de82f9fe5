import { z } from 'zod';
import { AppError } from '#lib/errors.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SimulatedPerson } from '#lib/ports/simulated-person.ts';
import type { CallerPart } from './scripted-caller.ts';

const line = z.object({
  say: z.string().max(2_000).describe('What you say next, as it is spoken. Empty: you say nothing and wait.'),
  hangsUp: z.boolean().describe('Whether you end the call after these words.'),
});

const { $schema: _, ...LINE_SCHEMA } = z.toJSONSchema(line);

const MANNERS: Record<SimulatedPerson['manner'], string> = {
  patient: 'You are patient and let the other side finish.',
  interrupts: 'You are impatient and cut in.',
  silent: 'You say as little as possible.',
  hangs_up: 'You hang up as soon as you have said what you wanted, without a goodbye.',
};

/** A language model that plays the person from their description. `isInbound`: they are the one who called. */
export function createModelCaller(
  model: LanguageModel,
  { person, isInbound, signal }: { person: SimulatedPerson; isInbound: boolean; signal: AbortSignal },
): CallerPart {
  const said: string[] = [];
  const instructions = instructionsFor(person, isInbound);

  return {
    hasMore: () => true,
    async reply(heard) {
      said.push(`Agent: ${heard}`);
      const answer = await model.completeJson({
        instructions,
        input: said.join('\n'),
        schemaName: 'next_words',
        schema: LINE_SCHEMA,
        signal,
      });
      const parsed = line.safeParse(answer.value);
      if (!parsed.success)
        throw new AppError('PROVIDER_FAILED', 'The model that plays the caller gave no usable answer.');
      const say = parsed.data.say.trim();
      const { hangsUp } = parsed.data;
      if (say === '' && !hangsUp) return undefined;
      said.push(`You: ${say}`);
      if (!hangsUp) return { say, next: 'listen' };
      return { say, next: person.manner === 'hangs_up' ? 'hang_up' : 'farewell' };
    },
  };
}

function instructionsFor(person: SimulatedPerson, isInbound: boolean): string {
  const facts = person.facts.map(({ about, answer }) => `- ${about}: ${answer}`);
  const lines = person.script.map(({ say, when }) =>
    when === null ? `- ${say}` : `- (about ${when}) ${say}`,
  );
  return [
    `You play a person on a telephone call. ${isInbound ? 'You have called' : 'You were called by'} the agent of a business, whose lines begin with "Agent:". Your own earlier lines begin with "You:".`,
    'Stay this person. Say one short turn at a time, in spoken language, and nothing but the words that are spoken. Never play the agent, never mention that this is a test.',
    `Who you are and what you want: ${person.description}`,
    MANNERS[person.manner],
    facts.length > 0 ? `What you know, to be told when it is asked for:\n${facts.join('\n')}` : '',
    lines.length > 0 ? `What you want to say in the course of the call:\n${lines.join('\n')}` : '',
    'Invent nothing that contradicts this. When you have got what you wanted, or cannot get it, say goodbye and hang up.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
