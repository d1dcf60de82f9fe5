import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '#db/schema/calls.ts';
import { createLogger } from '#lib/log.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import { TALKED } from '../testing.ts';
import { neverConnected } from '../execution/wrap-up.ts';
import { analyzeCall } from './analyze.ts';
import type { AnalyzedCall } from './facts.ts';

const log = createLogger('silent');
const { recording: _, ...talked } = TALKED;

type Line = [speaker: 'agent' | 'human', text: string];
function call(
  lines: Line[],
  outcome: Partial<CallOutcome> = {},
  customTags: AnalyzedCall['customTags'] = [],
): AnalyzedCall {
  const turns = lines.map(([speaker, text]) => ({ speaker, text }));
  return { direction: 'OUTBOUND', outcome: { ...talked, ...outcome }, turns, customTags };
}
const byRules = (analyzed: AnalyzedCall) => analyzeCall(analyzed, { languageModel: undefined, log });

const OPENING: Line = ['agent', 'Hello, this is the dentist about your check-up.'];
const APPOINTMENT = {
  startsAt: '2026-03-24T15:30:00.000Z',
  timeZone: 'UTC',
  spoken: 'Tuesday, March 24 at 3:30 PM',
};

describe('the rules', () => {
  it('leave a call that never connected without words', async () => {
    const analysis = await byRules({
      direction: 'OUTBOUND',
      outcome: neverConnected('busy', 'The line was busy.'),
      turns: [],
      customTags: [],
    });
    expect(analysis).toMatchObject({ disposition: 'FAILED', sentiment: 'N_A', summary: null, tags: [] });
  });

  it('call a voicemail by whether a message was left', async () => {
    const left = await byRules(
      call([['human', 'Please leave a message.'], OPENING], {
        voicemail: 'message_left',
        answeredBy: 'machine',
      }),
    );
    expect(left).toMatchObject({ disposition: 'VOICEMAIL', tags: ['voicemail'], sentiment: 'N_A' });
    expect(left.summary).toContain('this is the dentist');
    const none = await byRules(
      call([['human', 'This mailbox is full.']], { voicemail: 'no_message', answeredBy: 'machine' }),
    );
    expect(none).toMatchObject({ disposition: 'VOICEMAIL', tags: ['voicemail_no_message'] });
  });

  it('put what really happened above what was said', async () => {
    const said: Line[] = [OPENING, ['human', 'I am not interested, this is annoying. Fine, Tuesday.']];
    expect(await byRules(call(said, { appointment: APPOINTMENT }))).toMatchObject({
      disposition: 'APPOINTMENT_BOOKED',
      tags: ['appointment_booked'],
    });
    expect(await byRules(call(said, { transferredTo: '+15550100199' }))).toMatchObject({
      disposition: 'TRANSFERRED',
      tags: ['transferred'],
    });
  });

  it.each([
    ["I'm not interested.", 'COMPLETED', ['not_interested'], 'NEGATIVE'],
    ['Please stop calling me.', 'COMPLETED', ['not_interested'], 'NEGATIVE'],
    ['Take me off your list, please.', 'COMPLETED', ['not_interested'], 'NEGATIVE'],
    ['Can I speak to a real person?', 'COMPLETED', ['action_needed'], 'NEUTRAL'],
    ['I want to talk to your manager.', 'COMPLETED', ['action_needed'], 'NEUTRAL'],
    ['Could you call me back later?', 'SCHEDULED_CALLBACK', ['callback_scheduled'], 'NEUTRAL'],
    ['That is perfect, thank you so much.', 'COMPLETED', [], 'POSITIVE'],
    ["That's not great, to be honest.", 'COMPLETED', [], 'NEGATIVE'],
    ['Yes, I got the letter.', 'COMPLETED', [], 'NEUTRAL'],
  ])('hear %j', async (text, disposition, tags, sentiment) => {
    const analysis = await byRules(call([OPENING, ['human', 'Hello?'], ['human', text]]));
    expect(analysis).toMatchObject({ disposition, tags, sentiment, by: 'rules' });
  });

  it('call it abandoned when nobody said more than a greeting', async () => {
    expect(await byRules(call([OPENING], { endedBy: 'agent' }))).toMatchObject({
      disposition: 'ABANDONED',
      sentiment: 'N_A',
    });
    const greeted = await byRules(call([['human', 'Hello?'], OPENING], { endedBy: 'human' }));
    expect(greeted).toMatchObject({
      disposition: 'ABANDONED',
      summary: 'The person hung up before a conversation began.',
    });
    expect((await byRules(call([OPENING, ['human', 'Hello, I have a question.']]))).disposition).toBe(
      'COMPLETED',
    );
  });

  it('apply a custom tag when the telling words of its description were said by the person', async () => {
    const tags = [
      { name: 'wants_invoice', description: 'The caller asked for an invoice.' },
      { name: 'vip', description: 'The caller.' },
    ];
    const asked = await byRules(
      call([OPENING, ['human', 'And could you send me the invoices again?']], {}, tags),
    );
    expect(asked.tags).toEqual(['wants_invoice']);
    const agentSaid = await byRules(
      call(
        [
          ['agent', 'Do you want an invoice?'],
          ['human', 'No, I am fine.'],
        ],
        {},
        tags,
      ),
    );
    expect(agentSaid.tags).toEqual([]);
  });

  it('summarise in one to three sentences with the question and its answer', async () => {
    const { summary } = await byRules(
      call([
        OPENING,
        ['human', 'Hi. Who is this? Do you offer teeth whitening?'],
        ['agent', 'Yes, on Mondays.'],
      ]),
    );
    expect(summary).toBe(
      'The agent reached the person, who asked "Do you offer teeth whitening?"; the agent answered "Yes, on Mondays". The conversation ended normally.',
    );
  });
});

function model(
  answer: unknown,
): LanguageModel & { asked: { instructions: string; input: string; schema: unknown }[] } {
  const asked: { instructions: string; input: string; schema: unknown }[] = [];
  return {
    model: 'fake',
    asked,
    async *respond() {},
    async completeJson(request) {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { value: answer, usage: { inputTokens: 500, outputTokens: 50 } };
    },
  };
}

describe('a language model', () => {
  const spoken = call(
    [OPENING, ['human', 'Could we say the 24th at half past three? And I need an invoice.']],
    {},
    [{ name: 'wants_invoice', description: 'The caller asked for an invoice.' }],
  );
  const good = {
    summary: 'They agreed on a date.',
    sentiment: 'POSITIVE',
    tags: ['wants_invoice', 'appointment_booked'],
    disposition: 'APPOINTMENT_BOOKED',
  };

  it('writes the analysis and is told every tag it may use', async () => {
    const languageModel = model(good);
    const analysis = await analyzeCall(spoken, { languageModel, log });
    expect(analysis).toMatchObject({
      ...good,
      tags: expect.arrayContaining(good.tags),
      by: 'model',
      usage: { inputTokens: 500, outputTokens: 50 },
    });
    expect(languageModel.asked[0]?.instructions).toContain('wants_invoice: The caller asked for an invoice.');
    expect(languageModel.asked[0]?.instructions).not.toContain('- voicemail:');
    expect(languageModel.asked[0]?.input).toContain('Human: Could we say');
  });

  it('cannot overrule what happened, nor invent tags', async () => {
    const wrong = {
      ...good,
      tags: ['transferred', 'voicemail', 'made_up', 'not_interested'],
      disposition: 'COMPLETED',
    };
    const analysis = await analyzeCall(
      { ...spoken, outcome: { ...spoken.outcome, callback: { spoken: 'next week' } } },
      { languageModel: model(wrong), log },
    );
    expect(analysis.disposition).toBe('SCHEDULED_CALLBACK');
    expect(analysis.tags.toSorted()).toEqual(['callback_scheduled', 'not_interested']);
  });

  it.each([
    ['fails', new Error('the provider is down')],
    ['answers nonsense', { summary: 7 }],
    ['answers with a disposition that facts alone can give', { ...good, disposition: 'TRANSFERRED' }],
    ['answers nothing', undefined],
  ])('is replaced by the rules when it %s', async (_what, answer) => {
    expect(await analyzeCall(spoken, { languageModel: model(answer), log })).toMatchObject({
      by: 'rules',
      disposition: 'COMPLETED',
      tags: ['wants_invoice'],
    });
  });

  it('is not asked about a voicemail or a call without a conversation', async () => {
    const languageModel = model(good);
    await analyzeCall(call([OPENING], { voicemail: 'message_left' }), { languageModel, log });
    await analyzeCall(call([OPENING], { endedBy: 'human' }), { languageModel, log });
    expect(languageModel.asked).toEqual([]);
  });
});
