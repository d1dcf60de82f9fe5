import { describe, expect, it } from 'vitest';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';
import { transcriptEntries, transcriptText, turnAt, unheardPart } from './transcript-entries.ts';

const turn = (seq: number, startedMs: number, endedMs: number, more: Partial<Turn> = {}): Turn => ({
  seq,
  speaker: seq % 2 === 0 ? 'agent' : 'human',
  text: `turn ${seq}`,
  intendedText: null,
  startedMs,
  endedMs,
  interrupted: false,
  wordStartsMs: null,
  timings: null,
  ...more,
});

describe('the transcript', () => {
  it('puts tool uses after what the person said and before what the agent says about it', () => {
    const use = {
      seq: 0,
      name: 'search_knowledge',
      arguments: {},
      result: {},
      startedMs: 1000,
      endedMs: 1100,
    };
    const names = (turns: Turn[]) =>
      transcriptEntries({ turns, toolUses: [use], events: [] }).map((entry) =>
        entry.kind === 'turn' ? entry.turn.seq : entry.kind === 'tool' ? entry.use.name : entry.event.type,
      );
    expect(names([turn(0, 0, 900), turn(1, 1000, 1500)])).toEqual([0, 1, 'search_knowledge']);
    expect(names([turn(1, 0, 900), turn(2, 1000, 1500)])).toEqual([1, 'search_knowledge', 2]);
  });

  it('shows failures behind the turn that was over when they happened', () => {
    const event = (id: number, type: string, data: Record<string, unknown> = {}) => ({
      id,
      callId: 'cnv_1',
      type,
      at: '2026-03-02T09:00:00.000Z',
      data,
    });
    const events = [
      event(1, 'call.in_progress'),
      event(2, 'turn', { seq: 0 }),
      event(3, 'model_failed', { kind: 'timed_out' }),
      event(4, 'turn', { seq: 1 }),
    ];
    const turns = [turn(0, 0, 900), turn(1, 1000, 1500)];
    const kinds = transcriptEntries({ turns, toolUses: [], events }).map((entry) =>
      entry.kind === 'event' ? entry.event.type : entry.kind,
    );
    expect(kinds).toEqual(['turn', 'model_failed', 'turn']);
  });

  it('follows the audio: before, during, between and over each other', () => {
    const turns = [turn(0, 100, 1000), turn(1, 1500, 3000), turn(2, 2500, 4000)];
    expect(turnAt(turns, 50)).toBeNull();
    expect(turnAt(turns, 500)).toBe(0);
    expect(turnAt(turns, 1200)).toBe(0);
    expect(turnAt(turns, 2600)).toBe(2);
    expect(turnAt(turns, 9000)).toBe(2);
  });

  it('shows what was meant but not heard', () => {
    const cut = {
      interrupted: true,
      text: 'I am calling about',
      intendedText: 'I am calling about your appointment on Monday.',
    };
    expect(unheardPart(turn(0, 0, 1, cut))).toBe('your appointment on Monday.');
    expect(unheardPart(turn(0, 0, 1, { ...cut, text: 'I am calling about…' }))).toBe(
      'your appointment on Monday.',
    );
    expect(unheardPart(turn(0, 0, 1, { ...cut, text: 'Something else' }))).toBe(cut.intendedText);
    expect(unheardPart(turn(0, 0, 1, { ...cut, text: cut.intendedText }))).toBeNull();
    expect(unheardPart(turn(0, 0, 1))).toBeNull();
  });

  it('can be copied as text', () => {
    expect(transcriptText([turn(0, 0, 1), turn(1, 1, 2)])).toBe('Agent: turn 0\nHuman: turn 1');
  });
});
