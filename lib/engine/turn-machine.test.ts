import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from './languages/en.ts';
import { initialTurn, nextTurn } from './turn-machine.ts';
import type { TurnEffect, TurnEvent, TurnState } from './turn-state.ts';
import { TALKING } from './turn-talking.ts';
import { endOfTurnDelayMs } from './turn-timing.ts';

const start = (changes: Partial<TurnState> = {}) => ({
  ...initialTurn({ hasBargeIn: true, silenceMs: 20_000, backchannels: en.backchannels, keypad: null }),
  phase: 'listening' as TurnState['phase'],
  ...changes,
});

function run(state: TurnState, ...events: TurnEvent[]): { state: TurnState; effects: TurnEffect[] } {
  let current = state;
  const effects: TurnEffect[] = [];
  for (const event of events) {
    const step = nextTurn(current, event);
    current = step.state;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

const events: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.constantFrom<TurnEvent>(
    { type: 'human_started' },
    { type: 'human_stopped' },
    { type: 'beep' },
    { type: 'reply_audible' },
    { type: 'reply_closes' },
    { type: 'reply_finished' },
    { type: 'closing_failed' },
    { type: 'tone_played' },
    { type: 'held' },
    { type: 'resumed' },
    { type: 'hangup' },
  ),
  fc
    .constantFrom('hello.', 'uh-huh', '', 'wait,', 'what is this?', 'Leave a message after the tone.')
    .map((text): TurnEvent => ({ type: 'utterance', text })),
  fc
    .constantFrom(
      'silence',
      'end_of_turn',
      'barge_in',
      'no_words',
      'closing_limit',
      'beep',
      'message_limit',
      'digits',
      'hold_limit',
    )
    .map((name): TurnEvent => ({ type: 'timer', name }) as TurnEvent),
  fc.constantFrom('1', '7', '#').map((digit): TurnEvent => ({ type: 'digit', digit })),
  fc
    .constantFrom('silence', 'max_duration', 'usage_limit', 'shutdown', 'failed')
    .map((reason): TurnEvent => ({ type: 'must_close', reason }) as TurnEvent),
);
const press = (digits: string) => digits.split('').map((digit): TurnEvent => ({ type: 'digit', digit }));

const courses = fc.array(events, { maxLength: 40 });

describe('the turn machine', () => {
  it('answers a finished sentence soon, one that trails off later', () => {
    expect(endOfTurnDelayMs('Who is this?')).toBe(300);
    expect(endOfTurnDelayMs('I would like')).toBe(500);
    expect(endOfTurnDelayMs('I was wondering, um')).toBe(2_500);
    expect(endOfTurnDelayMs('Tuesday or')).toBe(2_500);
  });

  it('waits as long as whoever listened says, and by the words where nothing is said', () => {
    const waits = (endOfTurnMs?: number) =>
      run(start(), { type: 'utterance', text: 'Tuesday or', endOfTurnMs }).effects;
    expect(waits(120)).toContainEqual({ type: 'set_timer', name: 'end_of_turn', ms: 120 });
    expect(waits()).toContainEqual({ type: 'set_timer', name: 'end_of_turn', ms: 2_500 });
  });

  it('interrupts the agent after half a second of speech', () => {
    const speaking = start({ phase: 'speaking' });
    const begun = run(speaking, { type: 'human_started' });
    expect(begun.effects).toEqual([{ type: 'set_timer', name: 'barge_in', ms: 500 }]);
    const cut = run(begun.state, { type: 'timer', name: 'barge_in' });
    expect(cut.state.phase).toBe('hearing');
    expect(cut.effects).toEqual([{ type: 'cut_speech' }]);
    const meant = run(cut.state, { type: 'utterance', text: 'Stop.' });
    expect(meant.effects).toContainEqual({ type: 'drop_reply' });
    const noise = run(cut.state, { type: 'human_stopped' }, { type: 'timer', name: 'no_words' });
    expect(noise.state.phase).toBe('speaking');
    expect(noise.effects).toContainEqual({ type: 'resume_speech' });
  });

  it('takes an answer back that nobody heard yet, and answers everything at once', () => {
    const thinking = run(
      start(),
      { type: 'utterance', text: 'Hello.' },
      { type: 'timer', name: 'end_of_turn' },
    );
    expect(thinking.effects.at(-1)).toEqual({ type: 'think', heard: 'Hello.' });
    const again = run(
      thinking.state,
      { type: 'utterance', text: 'Who is this?' },
      { type: 'timer', name: 'end_of_turn' },
    );
    expect(again.effects).toContainEqual({ type: 'drop_reply' });
    expect(again.effects.at(-1)).toEqual({ type: 'think', heard: 'Hello. Who is this?' });
  });

  it('closes the second time that nobody speaks for half the limit', () => {
    const first = run(start(), { type: 'timer', name: 'silence' });
    expect(first.effects).toEqual([{ type: 'reprompt' }]);
    const second = run(
      first.state,
      { type: 'reply_audible' },
      { type: 'reply_finished' },
      { type: 'timer', name: 'silence' },
    );
    expect(second.effects).toContainEqual({ type: 'close', reason: 'silence' });
  });

  it('never cuts, thinks or reprompts after the last words began, unless the transfer failed', () => {
    fc.assert(
      fc.property(courses, courses, (before, after) => {
        const closing = run(start(), ...before, { type: 'must_close', reason: 'max_duration' }).state;
        const rest = run(closing, ...after.filter((event) => event.type !== 'closing_failed'));
        for (const type of ['cut_speech', 'resume_speech', 'think', 'reprompt'])
          expect(rest.effects.map((effect) => effect.type)).not.toContain(type);
      }),
    );
  });

  it('takes keys that follow each other for one entry, and a # for its end', () => {
    const { state, effects } = run(start(), ...press('12#'));
    expect(effects.filter((effect) => effect.type === 'set_timer')).toEqual([
      { type: 'set_timer', name: 'digits', ms: 2_000 },
      { type: 'set_timer', name: 'digits', ms: 2_000 },
      { type: 'set_timer', name: 'digits', ms: 0 },
    ]);
    const entered = run(state, { type: 'timer', name: 'digits' }, { type: 'timer', name: 'end_of_turn' });
    expect(entered.effects).toContainEqual({ type: 'enter_digits', digits: '12#' });
    expect(entered.effects).toContainEqual({ type: 'think', heard: '[pressed 1 2 #]' });
  });

  it('is interrupted by a key at once, and not where barge-in is off', () => {
    const speaking = { phase: 'speaking' } as const;
    const stopped = run(start(speaking), ...press('3'), { type: 'timer', name: 'digits' });
    expect(stopped.effects.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['cut_speech', 'enter_digits', 'drop_reply']),
    );
    const heldOut = run(start({ ...speaking, hasBargeIn: false }), ...press('3'), {
      type: 'timer',
      name: 'digits',
    });
    expect(heldOut.effects.map(({ type }) => type)).not.toContain('cut_speech');
    expect(run(heldOut.state, { type: 'reply_finished' }).state).toMatchObject({
      phase: 'pausing',
      heard: ['[pressed 3]'],
    });
  });

  it('waits for further keys where the person talks between them, or makes a noise', () => {
    const talking = run(start(), ...press('4'), { type: 'human_started' }, { type: 'human_stopped' });
    const said = run(talking.state, { type: 'utterance', text: 'and then' }, ...press('5'));
    expect(run(said.state, { type: 'timer', name: 'end_of_turn' }).state.phase).toBe('pausing');
    const entered = run(said.state, { type: 'timer', name: 'digits' });
    expect(entered.state.heard).toEqual(['and then', '[pressed 4 5]']);
    const noise = run(talking.state, { type: 'timer', name: 'no_words' }, { type: 'timer', name: 'digits' });
    expect(noise.state.heard).toEqual(['[pressed 4]']);
  });

  it('keeps the keys that were pressed when the call ends', () => {
    const { effects } = run(start(), ...press('98'), { type: 'hangup' });
    expect(effects).toContainEqual({ type: 'enter_digits', digits: '98' });
  });

  it('does nothing any more after a hang-up', () => {
    fc.assert(
      fc.property(courses, courses, (before, after) => {
        const ended = run(start(), ...before, { type: 'hangup' });
        expect(ended.state.phase).toBe('ended');
        expect(run(ended.state, ...after).effects).toEqual([]);
      }),
    );
  });

  it('never stops the agent for the person where barge-in is off', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const { effects } = run(
          start({ hasBargeIn: false }),
          ...course.filter(
            (event) => event.type !== 'held' && !(event.type === 'timer' && event.name === 'barge_in'),
          ),
        );
        expect(effects).not.toContainEqual({ type: 'cut_speech' });
        expect(effects).not.toContainEqual(expect.objectContaining({ name: 'barge_in', type: 'set_timer' }));
      }),
    );
  });

  it('answers every word and every key of the person exactly once, unless the call ends first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }), (course) => {
        // The person says numbered words at all moments of the exchange; in the end both fall silent.
        let state = start();
        const heardWords: string[] = [];
        const feed = (event: TurnEvent) => {
          const step = nextTurn(state, event);
          state = step.state;
          for (const effect of step.effects) if (effect.type === 'think') pendingThought = effect.heard;
          if (event.type === 'reply_audible' && pendingThought !== undefined) {
            heardWords.push(pendingThought);
            pendingThought = undefined;
          }
        };
        let pendingThought: string | undefined;
        let said = 0;
        let pressed = 0;
        for (const kind of course) {
          if (kind <= 1) feed({ type: 'utterance', text: `word${(said += 1)}.` });
          if (kind === 2) feed({ type: 'timer', name: 'end_of_turn' });
          if (kind === 3 && state.phase === 'thinking') feed({ type: 'reply_audible' });
          if (kind === 4) feed({ type: 'digit', digit: String((pressed += 1) % 10) });
          if (kind === 5) feed({ type: 'timer', name: 'digits' });
        }
        feed({ type: 'timer', name: 'digits' });
        for (let round = 0; round < 3; round += 1) {
          feed({ type: 'timer', name: 'end_of_turn' });
          if (state.phase === 'thinking') feed({ type: 'reply_audible' });
          if (state.phase === 'speaking') feed({ type: 'reply_finished' });
        }
        const answered = heardWords.join(' ');
        const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
        expect(answered.match(/word\d+/g) ?? []).toEqual(numbered(said).map((number) => `word${number}`));
        expect(answered.replaceAll(/word\d+/g, '').match(/\d/g) ?? []).toEqual(
          numbered(pressed).map((number) => String(number % 10)),
        );
      }),
    );
  });

  it('always has a way on: whenever nobody speaks, a timer runs or the brain works', () => {
    fc.assert(
      fc.property(
        courses,
        fc.constantFrom('human', 'machine', 'unknown'),
        fc.boolean(),
        (course, by, isDeaf) => {
          const timers = new Set<string>();
          const keypad = { canTransfer: true, mayBeMachine: true, offers: 0, message: 'none' } as const;
          let state = start({ phase: 'ringing', keypad: isDeaf ? keypad : null });
          const opening: TurnEvent[] = [
            { type: 'answered', by },
            { type: 'reply_audible' },
            { type: 'reply_finished' },
          ];
          for (const event of [...opening, ...course]) {
            if (event.type === 'timer' && !timers.delete(event.name)) continue;
            const step = nextTurn(state, event);
            state = step.state;
            for (const effect of step.effects) {
              if (effect.type === 'set_timer') timers.add(effect.name);
              if (effect.type === 'clear_timer') timers.delete(effect.name);
            }
            if (state.phase === 'listening') expect([...timers]).toContain('silence');
            if (state.phase === 'pausing' && state.digits === '')
              expect([...timers]).toContain('end_of_turn');
            if (state.phase in TALKING && state.phase !== 'closing' && state.digits !== '')
              expect([...timers]).toContain('digits');
            if (state.phase === 'hearing' && !state.humanSpeaking) expect([...timers]).toContain('no_words');
            if (step.effects.some((effect) => effect.type === 'hang_up')) break;
            if (state.phase === 'held') expect([...timers]).toContain('hold_limit');
            if (state.phase === 'taking_message') expect([...timers]).toContain('message_limit');
            if (isDeaf)
              expect(['listening', 'hearing', 'pausing', 'thinking', 'speaking']).not.toContain(state.phase);
            if (state.phase === 'awaiting_beep') expect([...timers]).toContain('beep');
            if (state.phase === 'leaving_message' && state.voicemail === 'no_message')
              expect([...timers]).toContain('message_limit');
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
