import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hear, type RealtimeProvider } from './realtime-testing.ts';
import type { RealtimeModel, RealtimeRequest, RealtimeSession } from './realtime.ts';
import type { ListeningOptions } from './speech.ts';

const LISTENING: ListeningOptions = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
const TOOL = { name: 'note_day', description: 'Notes a day.', parameters: { type: 'object' } };

const sound = (ms: number) =>
  Int16Array.from({ length: ms * 16 }, (_, index) => (Math.floor(index / 40) % 2 === 0 ? 9_000 : -9_000));

/** What every `RealtimeModel` must do; each adapter's test runs it against itself. */
export function describeRealtimeModel(name: string, open: () => Promise<RealtimeProvider>): void {
  describe(`${name} as a realtime model`, () => {
    let provider: RealtimeProvider;
    let call: AbortController;
    let usage: { inputTokens: number; outputTokens: number }[];
    beforeEach(async () => {
      provider = await open();
      call = new AbortController();
      usage = [];
    });
    afterEach(async () => {
      call.abort(new Error('the call is over'));
      await provider.close();
    });

    const openSession = (changes: Partial<Parameters<RealtimeModel['open']>[0]> = {}) =>
      provider.model.open({
        instructions: 'You are Mia.',
        tools: [TOOL],
        voiceId: null,
        listening: LISTENING,
        isTelephone: false,
        signal: call.signal,
        onUsage: (used) => usage.push(used),
        ...changes,
      });
    const never = () => new AbortController().signal;
    const request = (changes: Partial<RealtimeRequest> = {}): RealtimeRequest => ({
      heard: undefined,
      messages: [],
      offersTools: true,
      signal: never(),
      ...changes,
    });
    /** Lets the model hear sound; gives its words. */
    async function say(session: RealtimeSession, ms = 300): Promise<string> {
      const stretch = session.begin(() => undefined);
      stretch.write(sound(ms));
      const { text } = await stretch.transcribe(never());
      stretch.end();
      return text;
    }

    it('answers what it heard, with sound and its words, and tells what that cost', async () => {
      const session = openSession();
      provider.answer({ text: 'We open at nine.' });
      const text = await say(session);
      expect(text).toBe('word word word');
      const heard = await hear(session.respond(request({ heard: text })));
      expect(heard).toMatchObject({ words: 'We open at nine.', calls: [], finish: 'whole' });
      expect(heard.soundMs).toBeCloseTo(800, -1);
      expect(usage).toHaveLength(1);
      expect(usage[0]?.outputTokens).toBeGreaterThan(0);
      expect(provider.conversation()).toEqual([
        'user: word word word',
        'assistant: We open at nine. (800 ms)',
      ]);
    });

    it('carries the same over a telephone’s coding', async () => {
      const session = openSession({ isTelephone: true });
      provider.answer({ text: 'We open at nine.' });
      const heard = await hear(session.respond(request({ heard: await say(session, 500) })));
      expect(provider.conversation()[0]).toBe('user: word word word word word');
      expect(Math.abs(heard.soundMs - 800)).toBeLessThan(10);
    });

    it('is told as text what it did not hear as sound', async () => {
      const session = openSession();
      const text = await say(session);
      await hear(session.respond(request({ heard: `${text} [pressed 1 2 3]` })));
      expect(provider.conversation().slice(0, 2)).toEqual(['user: word word word', 'user: [pressed 1 2 3]']);
    });

    it('forgets sound that was not meant for it', async () => {
      const session = openSession();
      await say(session, 600);
      await hear(session.respond(request({ heard: await say(session, 200) })));
      expect(provider.conversation()).toEqual(['user: word word', 'assistant: I see. (300 ms)']);
    });

    it('keeps the whole call in mind, with the lines that others said in its place', async () => {
      const session = openSession();
      const messages = [{ role: 'assistant' as const, content: 'Hello, this is Mia.' }];
      await hear(session.respond(request({ heard: await say(session, 200), messages })));
      session.tell({ role: 'assistant', content: 'Are you still there?' });
      await hear(session.respond(request({ heard: await say(session, 400) })));
      expect(provider.conversation()).toEqual([
        'assistant: Hello, this is Mia.',
        'user: word word',
        'assistant: I see. (300 ms)',
        'assistant: Are you still there?',
        'user: word word word word',
        'assistant: I see. (300 ms)',
      ]);
    });

    it('knows only what was heard of its answer', async () => {
      const session = openSession();
      provider.answer({ text: 'It is open from nine to six on every day.' });
      const answer = session.respond(request({ heard: await say(session) }));
      await hear(answer);
      answer.truncate(740.4);
      await hear(session.respond(request({ heard: 'And on Sunday?' })));
      expect(provider.conversation()[1]).toBe(
        'assistant: It is open from nine to six on every day. (740 ms)',
      );
      expect(provider.errors()).toEqual([]);
    });

    it('leaves no trace of an answer that nobody heard, and answers all that was said afterwards', async () => {
      const session = openSession();
      const first = await say(session, 200);
      const dropped = new AbortController();
      const answer = session.respond(request({ heard: first, signal: dropped.signal }));
      const reading = hear(answer).catch((error: unknown) => error);
      dropped.abort(new Error('the person goes on'));
      expect(await reading).toMatchObject({ message: 'the person goes on' });
      answer.truncate(0);
      const rest = await say(session, 400);
      await hear(session.respond(request({ heard: `${first} ${rest}` })));
      expect(provider.conversation()).toEqual([
        'user: word word',
        'user: word word word word',
        'assistant: I see. (300 ms)',
      ]);
      expect(provider.errors()).toEqual([]);
    });

    it('can be interrupted at any moment, and answers the next thing', async () => {
      const session = openSession();
      await say(session);
      for (let events = 1; events < 6; events += 1) {
        provider.answer({ text: 'A long answer that is cut in the middle of it.' });
        const cut = new AbortController();
        const answer = session.respond(request({ heard: `Question ${events}`, signal: cut.signal }));
        let seen = 0;
        const reading = (async () => {
          for await (const _ of answer) if ((seen += 1) === events) cut.abort(new Error('cut'));
        })();
        await expect(reading).rejects.toThrow('cut');
        answer.truncate(0);
      }
      expect((await hear(session.respond(request({ heard: 'And now?' })))).words).toBe('I see.');
      expect(provider.conversation()).toEqual(['user: And now?', 'assistant: I see. (300 ms)']);
      expect(provider.errors()).toEqual([]);
    });

    it('uses tools and goes on with their results', async () => {
      const session = openSession();
      provider.answer({ tool: { name: 'note_day', arguments: { day: 'Tuesday' } } }, { text: 'Noted.' });
      const ids: string[] = [];
      const answer = session.respond(request({ heard: 'On Tuesday.' }));
      for await (const event of answer) if (event.type === 'tool_call') ids.push(event.id);
      session.giveResults(ids.map((callId) => ({ callId, result: { ok: true } })));
      expect((await hear(session.respond(request()))).words).toBe('Noted.');
      expect(provider.conversation()).toEqual([
        'user: On Tuesday.',
        'call: note_day {"day":"Tuesday"}',
        'tool: {"ok":true}',
        'assistant: Noted. (300 ms)',
      ]);
    });

    it('says a line beside the conversation, while it answers too', async () => {
      const session = openSession();
      const [line, heard] = await Promise.all([
        hear(session.recite({ text: 'One moment, please.', language: 'en', signal: never() })),
        hear(session.respond(request({ heard: 'Hello' }))),
      ]);
      expect(line).toMatchObject({ words: 'One moment, please.', finish: 'whole' });
      expect(heard.words).toBe('I see.');
      expect(provider.conversation()).toEqual(['user: Hello', 'assistant: I see. (300 ms)']);
    });

    it('tells what its voice made of a line', async () => {
      const session = openSession();
      provider.recites((line) => `${line} Anything else?`);
      const heard = await hear(session.recite({ text: 'Goodbye.', language: null, signal: never() }));
      expect(heard.words).toBe('Goodbye. Anything else?');
    });

    it('says why an answer is not whole', async () => {
      const session = openSession();
      provider.answer(
        { text: 'I may', finish: 'content_filter' },
        { text: 'On', finish: 'max_output_tokens' },
      );
      expect(await hear(session.respond(request({ heard: 'A' })))).toMatchObject({ finish: 'filtered' });
      expect(await hear(session.respond(request({ heard: 'B' })))).toMatchObject({ finish: 'length' });
    });

    it.each([
      ['insufficient_quota', 'no_credit'],
      ['rate_limit_exceeded', 'rate_limited'],
      ['server_error', 'overloaded'],
      ['invalid_api_key', 'bad_key'],
    ])('tells an answer that failed with %s', async (code, kind) => {
      const session = openSession();
      provider.answer({ fails: code });
      await expect(hear(session.respond(request({ heard: 'Hello' })))).rejects.toMatchObject({
        code: 'PROVIDER_FAILED',
        details: { kind },
      });
      expect((await hear(session.respond(request({ heard: 'Hello?' })))).words).toBe('I see.');
    });

    it.each([
      ['bad_key', 'bad_key'],
      ['no_credit', 'no_credit'],
      ['fails', 'overloaded'],
    ] as const)('tells a connection that is refused (%s)', async (manner, kind) => {
      provider.behave(manner);
      const session = openSession();
      await expect(hear(session.respond(request({ heard: 'Hello' })))).rejects.toMatchObject({
        code: 'PROVIDER_FAILED',
        details: { kind },
      });
    });

    it('tells a connection that is lost in the middle, and knows the call on the next one', async () => {
      const session = openSession();
      provider.answer({ text: 'We open at nine in the morning.', breaksOff: true });
      const answer = session.respond(request({ heard: await say(session) }));
      const reading = (async () => {
        let words = '';
        for await (const event of answer) {
          if (event.type === 'words') words += event.delta;
          if (words.includes('at')) provider.dropConnections();
        }
      })();
      await expect(reading).rejects.toMatchObject({
        code: 'PROVIDER_FAILED',
        details: { kind: 'broke_off' },
      });
      const messages = [
        { role: 'user' as const, content: 'word word word' },
        {
          role: 'assistant' as const,
          content: 'We open',
          toolCalls: [{ id: 'c1', name: 'note_day', arguments: '{}' }],
        },
        { role: 'tool' as const, toolCallId: 'c1', content: '{"ok":true}' },
      ];
      const again = await hear(session.respond(request({ heard: await say(session, 200), messages })));
      expect(again.words).toBe('I see.');
      expect(provider.conversation()).toEqual([
        'user: word word word',
        'assistant: We open',
        'call: note_day {}',
        'tool: {"ok":true}',
        'user: word word',
        'assistant: I see. (300 ms)',
      ]);
    });

    it('waits for one that hangs no longer than it is asked to, and is new after it was renewed', async () => {
      provider.behave('hangs');
      const session = openSession();
      const late = new AbortController();
      const answer = session.respond(request({ heard: 'Hello', signal: late.signal }));
      const reading = hear(answer);
      late.abort(new Error('too late'));
      await expect(reading).rejects.toThrow('too late');
      answer.truncate(0);
      provider.behave('works');
      session.renew();
      expect((await hear(session.respond(request({ heard: 'Hello?' })))).words).toBe('I see.');
    });

    it('answers anew after an answer that hung', async () => {
      const session = openSession();
      provider.answer({ hangs: true });
      const late = new AbortController();
      const hung = session.respond(request({ heard: 'Hello', signal: late.signal }))[Symbol.asyncIterator]();
      await hung.next();
      late.abort(new Error('too late'));
      await expect(hung.next()).rejects.toThrow('too late');
      session.renew();
      expect((await hear(session.respond(request({ heard: 'Hello?' })))).words).toBe('I see.');
    });

    it('is told the instructions, the tools and what to expect of the person', async () => {
      const session = openSession({
        listening: { hints: ['Alpha Dental'], language: 'de-AT', isMultilingual: false, hasBargeIn: true },
      });
      await say(session);
      for (const part of ['You are Mia.', 'note_day', 'Alpha Dental', '"language":"de"'])
        expect(provider.told()).toContain(part);
    });

    it('speaks with the voice that was chosen, and with its first where there is no such voice', async () => {
      const [first, second] = provider.model.voices;
      await say(openSession({ voiceId: second?.id ?? '' }));
      expect(provider.told()).toContain(`"voice":"${second?.id}"`);
      await say(openSession({ voiceId: 'nobody' }));
      expect(provider.told()).toContain(`"voice":"${first?.id}"`);
    });

    it('gives up what is asked when the call is over', async () => {
      const session = openSession();
      provider.answer({ hangs: true });
      const reading = hear(session.respond(request({ heard: 'Hello' })));
      call.abort(new Error('the call is over'));
      await expect(reading).rejects.toThrow('the call is over');
    });
  });
}
