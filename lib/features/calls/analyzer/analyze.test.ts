import { describe, expect, it } from 'vitest';
import { createLogger } from '#lib/log.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { analyzeCall } from './analyze.ts';
import { call, type Line, model, OPENING } from './testing.ts';
import type { AnalyzedCall } from './facts.ts';

const log = createLogger('silent');

const byRules = (analyzed: AnalyzedCall) => analyzeCall(analyzed, { languageModel: undefined, log });

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

  it('know of a call that nobody could understand whether a message waits, and no model is asked', async () => {
    const languageModel = model('nothing');
    const analyze = (outcome: Partial<AnalyzedCall['outcome']>) =>
      analyzeCall(
        { ...call([OPENING, ['human', '[pressed 1]']], outcome), direction: 'INBOUND' },
        { languageModel, log },
      );
    expect(await analyze({ recordedMessage: 'left' })).toEqual({
      disposition: 'COMPLETED',
      tags: ['action_needed'],
      sentiment: 'N_A',
      summary:
        'No transcription is set up, so nobody could understand what was said. The caller left a recorded message that somebody should listen to.',
      by: 'rules',
      usage: undefined,
    });
    expect(await analyze({ recordedMessage: 'none' })).toMatchObject({ disposition: 'ABANDONED', tags: [] });
    expect(await analyze({ recordedMessage: 'none', transferredTo: '+15550100099' })).toMatchObject({
      disposition: 'TRANSFERRED',
      tags: ['transferred'],
    });
    expect(languageModel.asked).toEqual([]);
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
    ['Thanks, but please take me off your list.', 'COMPLETED', ['not_interested'], 'NEUTRAL'],
    ['Oh great, another robot. Just what I needed.', 'COMPLETED', [], 'NEGATIVE'],
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

  it('summarise who wanted what, what was answered and what stayed open', async () => {
    const { summary } = await byRules(
      call([
        ['agent', 'Hello Ann, this is Mia from Alpha Dental about your check-up.'],
        ['human', 'Hi. Who is this? Do you offer teeth whitening?'],
        ['agent', 'Yes, on Mondays.'],
        ['human', 'And do you treat horses?'],
        ['agent', "I'm sorry, I don't know that."],
      ]),
    );
    expect(summary).toBe(
      'Mia from Alpha Dental called Ann about their check-up. They asked "Do you offer teeth whitening?"; the agent answered "Yes, on Mondays". They asked "And do you treat horses?", which the agent could not answer. Somebody should follow up on it.',
    );
  });

  it('need both sides to agree on a definite day and time before a tool of the workspace makes an appointment', async () => {
    const ask: Line = ['human', 'Could we say Tuesday at half past three?'];
    const booked = async (...lines: Line[]) =>
      (
        await byRules({
          ...call([OPENING, ...lines]),
          toolUses: [{ name: 'reserve_table', result: { ok: true } }],
        })
      ).disposition === 'APPOINTMENT_BOOKED';
    expect(await booked(ask, ['agent', 'Of course, see you on Tuesday at half past three.'])).toBe(true);
    expect(await booked(['agent', 'Does Tuesday at 3 pm work?'], ['human', 'Yes, perfect.'])).toBe(true);
    expect(await booked(['agent', 'Do you have a minute?'], ['human', 'Yes, hello. Who is it?'])).toBe(false);
    expect(await booked(ask)).toBe(false);
    expect(await booked(ask, ['agent', 'We are closed then, I am afraid.'])).toBe(false);
    expect(await booked(['human', 'Maybe Tuesday at three, I have to ask.'], ['agent', 'All right.'])).toBe(
      false,
    );
    expect(
      await booked(
        ask,
        ['agent', 'You are booked for Tuesday at 3:30 PM.'],
        ['human', "No, I can't make it then."],
      ),
    ).toBe(false);
    expect(await booked(['agent', 'Your appointment is on Tuesday at 3 pm, right?'], ['human', 'Yes.'])).toBe(
      false,
    );
  });
});
