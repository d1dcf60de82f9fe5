import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveCard } from './card-model.ts';
import { type ComposeRequest, deriveCardByRules } from './card-rules.ts';
import { readTemplate } from './template.ts';
import { derivedOpening, namesThatHold } from './written-card.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';

const derive = deriveCardByRules;

/** The line that a call opens with where nobody wrote one. */
function open(prompt: string, changes: Partial<ComposeRequest> = {}): string {
  const names = namesThatHold(derive(prompt), { prompt, workspaceName: 'The Workspace' });
  return derivedOpening({ prompt, direction: 'INBOUND', language: null, ...changes }, names);
}

describe('names', () => {
  it.each([
    ['You are Mia, the receptionist at Alpha Dental. You book appointments.', 'Mia', 'Alpha Dental'],
    ['Your name is Nora. You work for Northwind Traders in Springfield.', 'Nora', 'Northwind Traders'],
    ["You're a friendly receptionist named Tom for Joe's Pizza.", 'Tom', "Joe's Pizza"],
    ['You are an AI assistant called "Ella" for The Grand Hotel.', 'Ella', 'The Grand Hotel'],
    ["Act as Peter, the host of Luigi's.", 'Peter', "Luigi's"],
    [
      "You are the AI receptionist for **Dr. Patel's Family Dentistry**.",
      null,
      "Dr. Patel's Family Dentistry",
    ],
    ["You are Alpha Dental's receptionist. Book cleanings.", null, 'Alpha Dental'],
    ['You are Claire, an AI phone agent calling on behalf of Acme Solar.', 'Claire', 'Acme Solar'],
    [
      '# Role\nYou are **Sam**, a calm assistant for **Smith & Sons Plumbing**.',
      'Sam',
      'Smith & Sons Plumbing',
    ],
    ['Name: Ruby\nCompany: Sunrise Energy\n\nAnswer questions.', 'Ruby', 'Sunrise Energy'],
    ['You work at a dental practice called "White Pearl". Your name\'s Olivia.', 'Olivia', 'White Pearl'],
    ['Introduce yourself as Emma from Riverside Medical Group.', 'Emma', 'Riverside Medical Group'],
    ['your name is zoe and you answer the phone.', 'Zoe', null],
    ['You are Jordan Lee, a sales representative at Nimbus.', 'Jordan Lee', 'Nimbus'],
    ['Du bist Lena, die Rezeptionistin der Zahnarztpraxis Müller.', 'Lena', 'Zahnarztpraxis Müller'],
    [
      'Sie sind Frau Weber von der Stadtwerke Neustadt GmbH & Co. KG.',
      'Frau Weber',
      'Stadtwerke Neustadt GmbH & Co. KG',
    ],
    ['Eres Lucía, la recepcionista de Clínica Sol.', 'Lucía', 'Clínica Sol'],
    ['Vous êtes Chloé, assistante chez Boulangerie Martin.', 'Chloé', 'Boulangerie Martin'],
    ['Start calls with "Lakeside Vet, this is Robin. Which pet is it?"', 'Robin', 'Lakeside Vet'],
    ['You are a helpful AI assistant. Answer English questions on Monday.', null, null],
    ['You are {{agent}} from {{company}}.', null, null],
    ['You are the best at what you do.', null, null],
  ])('%j: %s of %s', (text, personaName, businessName) => {
    expect(derive(text)).toMatchObject({ personaName, businessName });
  });
});

describe('the opening', () => {
  it.each([
    [
      `Greet callers with: 'Hello, you've reached Alpha Dental, this is Mia.'`,
      "Hello, you've reached Alpha Dental, this is Mia.",
    ],
    ['Always start by saying "Hi, Nora here, how can I help?" and listen.', 'Hi, Nora here, how can I help?'],
    ['Begrüße Anrufer mit: „Guten Tag, hier ist Lena.“', 'Guten Tag, hier ist Lena.'],
    ['Eröffnen Sie das Gespräch mit »Stadtwerke, Weber.«', 'Stadtwerke, Weber.'],
    ['Saluda con: «Hola, le habla Lucía.»', 'Hola, le habla Lucía.'],
    ['When you pick up, say “Lakeside Vet, good day.”', 'Lakeside Vet, good day.'],
    ['# Greeting\n"Thanks for calling, this is Sam."\n\n# Task\nHelp.', 'Thanks for calling, this is Sam.'],
    [
      'Greeting: Hello, Green Garden, Iris speaking.\nTone: professional',
      'Hello, Green Garden, Iris speaking.',
    ],
    ['- **Opening line:** "Good day!"', 'Good day!'],
    [
      'Open with "Hi {{name}}, {{n < 2 ? "one" : "{{n}}"}} left."',
      'Hi {{name}}, {{n < 2 ? "one" : "{{n}}"}} left.',
    ],
  ])('is the line the prompt spells out: %j', (text, opening) => {
    expect(derive(text).opening).toBe(opening);
  });

  it.each([
    'Greeting: be warm and short.',
    '## Greeting\nGreet the caller politely.',
    'If you reach voicemail, start by saying "Please call us back".',
    'End the call by saying "Goodbye now".',
    'Greet with "Hello, this is [your name]".',
  ])('is never an instruction or a line for another moment: %j', (text) => {
    expect(derive(`You are Kai from Orbit Labs. ${text}`).opening).toBeNull();
    expect(open(`You are Kai from Orbit Labs.\n${text}`)).toBe(
      'Hello, this is Kai from Orbit Labs. How can I help you today?',
    );
  });

  it('is made of the names otherwise, in the language of the agent or of the prompt', () => {
    expect(open('You are Mia. Help people.')).toBe(
      'Hello, this is Mia from The Workspace. How can I help you today?',
    );
    expect(open('Du bist Mia und hilfst den Anrufern.')).toBe(
      'Guten Tag, hier ist Mia von The Workspace. Wie kann ich Ihnen helfen?',
    );
    expect(open('You are Mia. Help people.', { language: 'fr-FR' })).toContain(
      'Bonjour, ici Mia de The Workspace',
    );
  });

  it('of an outbound call greets by the name variable that the prompt uses', () => {
    const outbound = open('You are Max from TechCorp. Remind {{first_name}} of the trial.', {
      direction: 'OUTBOUND',
    });
    expect(outbound).toBe('Hello {{first_name}}, this is Max from TechCorp. Do you have a moment?');
  });
});

describe('scope, tone and disclosure', () => {
  it('come from the sentences that say them', () => {
    const card = derive(
      'You are Otto of Kestrel Cycles. Your job is to book repairs. Never promise prices. Keep a calm, friendly tone. When someone asks if you are a robot, say "I am Otto, the AI of Kestrel."',
    );
    expect(card).toMatchObject({
      scope: 'Your job is to book repairs.',
      tone: 'calm',
      aiDisclosure: 'I am Otto, the AI of Kestrel.',
    });
  });

  it('a section that names the scope says it, and a heading is no sentence', () => {
    const prompt =
      '# You are Mia of Harbor Dental\n\nYour task is to answer the phone.\n\n## What you help with\n- You help with appointments and prices.\n\n## Style\nBe brief.';
    expect(derive(prompt).scope).toBe('You help with appointments and prices.');
    expect(derive('## What you take care of\nYour task is to answer the phone.').scope).toBe(
      'Your task is to answer the phone.',
    );
  });

  it('a tone that is denied does not count, and a line "Tone:" counts first', () => {
    expect(derive('Do not be formal. Be friendly with people.').tone).toBe('warm');
    expect(derive('Be friendly.\nTone: professional').tone).toBe('professional');
    expect(derive('Book appointments for people who call.').tone).toBeNull();
  });
});

describe('for any prompt', () => {
  it('derivation never fails, keeps to the limits and gives an opening without faults', () => {
    const words = fc.constantFrom(
      'You are',
      'Mia',
      'from',
      'Alpha',
      'Greet',
      'with',
      '"',
      "'",
      '„',
      '“',
      ':',
      '\n',
      '.',
      '{{name}}',
      '{{n < 2 ? "Say one. Help two." : "You help. {{n}}"}}',
      'Tone:',
      '# Opening',
      'asked',
      'robot',
      'Your name is',
    );
    const text = fc
      .array(fc.oneof(words, fc.string({ maxLength: 10 })), { maxLength: 60 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, (prompt) => {
        if (readTemplate(prompt).problems.length > 0) return;
        const card = derive(prompt);
        expect(card.personaName?.length ?? 0).toBeLessThanOrEqual(120);
        expect(card.businessName?.length ?? 0).toBeLessThanOrEqual(120);
        expect(card.opening?.length ?? 0).toBeLessThanOrEqual(600);
        expect(card.scope?.length ?? 0).toBeLessThanOrEqual(1000);
        for (const derived of [card.opening, card.scope, card.aiDisclosure])
          expect(readTemplate(derived ?? '').problems).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('derivation takes no longer for hostile prompts than for others', () => {
    const startedAt = performance.now();
    for (const piece of ['\n', ' ', '„ ', 'You are A', 'your name is ', 'greet "', 'A ', '#', '> '])
      derive(`a${piece.repeat(100_000 / piece.length)}b`);
    expect(performance.now() - startedAt).toBeLessThan(9000);
  });

  it('an empty prompt has an empty card', () => {
    expect(Object.values(derive(' \n '))).toEqual([null, null, null, null, null, null]);
  });
});

describe('derivation by a language model', () => {
  const prompt = 'You are Mia at Alpha Dental. Greet with "Hello, Mia here."';
  const modelAnswering = (value: unknown): LanguageModel => ({
    model: 'double',
    async *respond() {},
    completeJson: async () => {
      if (value instanceof Error) throw value;
      return { value, usage: undefined };
    },
  });
  const deriveWith = async (value: unknown) => {
    const failures: unknown[] = [];
    const card = await deriveCard(modelAnswering(value), prompt, (error) => failures.push(error));
    return { card, failures: failures.length };
  };
  const answer = {
    personaName: 'Mia',
    businessName: 'Alpha Dental',
    opening: 'Hello, Mia here.',
    scope: 'Books visits.',
    tone: 'warm',
    aiDisclosure: null,
  };

  it('takes the answer', async () => {
    expect(await deriveWith(answer)).toEqual({ card: answer, failures: 0 });
  });

  it('keeps the line of the prompt where the model words its own', async () => {
    expect((await deriveWith({ ...answer, opening: 'Hi there, I am Mia!' })).card.opening).toBe(
      'Hello, Mia here.',
    );
  });

  it('drops what does not fit', async () => {
    const { card } = await deriveWith({
      ...answer,
      personaName: 'M'.repeat(121),
      tone: 'angry',
      scope: '{{',
      aiDisclosure: 7,
    });
    expect(card).toMatchObject({ personaName: null, tone: null, scope: null, aiDisclosure: null });
  });

  it.each([new Error('down'), 'text', null])('falls back to the rules on %s', async (value) => {
    expect(await deriveWith(value)).toEqual({ card: deriveCardByRules(prompt), failures: 1 });
  });

  it('asks no model about an empty prompt', async () => {
    const card = await deriveCard(modelAnswering(answer), '', () => {});
    expect(card.personaName).toBeNull();
  });
});

describe('an opening', () => {
  it.each([
    'You are Priya. Always answer with "Harbor Lights Hotel, Priya speaking."',
    'You are Priya. When answering, say: "Harbor Lights Hotel, Priya speaking."',
    'You are Priya. When you answer the phone, say "Harbor Lights Hotel, Priya speaking."',
  ])('is found in: %s', (prompt) => {
    expect(derive(prompt).opening).toBe('Harbor Lights Hotel, Priya speaking.');
  });
});
