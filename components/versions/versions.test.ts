import { describe, expect, it } from 'vitest';
import type { VersionDetail, VersionSummary } from '#lib/features/publishing/history/contract.ts';
import { textDifference } from './text-difference.ts';
import { authorName, changeSentence, comparedParts, valueText } from './wording.ts';

const summary = (fields: Partial<VersionSummary>): VersionSummary => ({
  id: 'ver_1',
  number: 2,
  createdAt: '2026-03-02T09:00:00.000Z',
  author: { kind: 'user', label: 'mia@alpha.test' },
  changes: [],
  restoredNumber: null,
  isPublished: false,
  isShareOnly: false,
  ...fields,
});
const detail = (
  agent: Record<string, unknown>,
  prompts: { id: string; fields: Record<string, unknown> }[] = [],
): VersionDetail => ({
  ...summary({}),
  agentId: 'agent_1',
  agentName: 'Front desk',
  isAgentDeleted: false,
  agent,
  outboundPrompts: prompts.map(({ id, fields }) => ({ id, title: String(fields.title), fields })),
});

describe('what a version changed', () => {
  it('is one sentence in the words of the pages', () => {
    const changes: VersionSummary['changes'] = [
      { promptId: null, title: null, kind: 'changed', fields: ['personaName', 'writtenCardFields'] },
      { promptId: 'p1', title: 'Reminder', kind: 'changed', fields: ['opening'] },
      { promptId: 'p2', title: 'Recall', kind: 'removed', fields: [] },
    ];
    expect(changeSentence(summary({ changes }))).toBe(
      'Changed persona name; changed opening of the outbound prompt “Reminder”; deleted the outbound prompt “Recall”',
    );
    expect(changeSentence(summary({ changes: changes.slice(0, 1), restoredNumber: 3 }))).toBe(
      'Restored version 3: changed persona name',
    );
    expect(changeSentence(summary({ number: 1 }))).toBe('The first version');
  });

  it('counts the fields that are too many to name, and names those that came later', () => {
    const fields = ['name', 'hints', 'voiceId', 'language', 'chatPrompt', 'hasNewThing'];
    const changes: VersionSummary['changes'] = [{ promptId: null, title: null, kind: 'changed', fields }];
    expect(changeSentence(summary({ changes }))).toBe(
      'Changed name, chat prompt, language code, voice and 2 more',
    );
    const last = [{ ...changes[0], fields: ['hasNewThing'] }] as VersionSummary['changes'];
    expect(changeSentence(summary({ changes: last }))).toBe('Changed has new thing');
  });
});

describe('the author of a version', () => {
  it('is a member, a key, the service, or nobody that is known', () => {
    const named = (kind: VersionSummary['author']['kind'], label: string | null) =>
      authorName(summary({ author: { kind, label } }));
    expect(named('user', 'mia@alpha.test')).toBe('mia@alpha.test');
    expect(named('api_key', 'ci')).toBe('API key ci');
    expect(named('system', 'provision file')).toBe('provision file');
    expect(named('unknown', null)).toBe('Unknown');
  });
});

describe('two versions side by side', () => {
  const before = detail({ name: 'A', hints: null, hasBargeIn: true }, [
    { id: 'p1', fields: { title: 'Reminder', opening: 'Hello.' } },
    { id: 'p2', fields: { title: 'Recall', opening: null } },
  ]);
  const after = detail({ name: 'B', hints: null, hasBargeIn: false }, [
    { id: 'p1', fields: { title: 'Reminder', opening: 'Hello.' } },
    { id: 'p3', fields: { title: 'Survey', opening: null } },
  ]);

  it('show what differs, and which prompts only one of them has', () => {
    const parts = comparedParts(before, after, { isWhole: false });
    expect(parts.map(({ title, only }) => [title, only])).toEqual([
      ['Agent', null],
      ['Outbound prompt “Survey”', 'after'],
      ['Outbound prompt “Recall”', 'before'],
    ]);
    expect(parts[0]?.fields).toEqual([
      { name: 'name', label: 'Name', before: 'A', after: 'B' },
      { name: 'hasBargeIn', label: 'Can be interrupted', before: 'On', after: 'Off' },
    ]);
  });

  it('show all that is set where the whole is asked for', () => {
    const parts = comparedParts(null, after, { isWhole: true });
    expect(parts.map(({ title, fields }) => [title, fields.length])).toEqual([
      ['Agent', 2],
      ['Outbound prompt “Reminder”', 2],
      ['Outbound prompt “Survey”', 1],
    ]);
  });

  it('are nothing where nothing differs', () => {
    expect(comparedParts(after, after, { isWhole: false })).toEqual([]);
  });

  it('show values in words', () => {
    expect(valueText({ isOn: true, attempts: 3, delayMinutes: 60, on: ['busy'] })).toBe(
      'Up to 3 calls, 60 minutes apart (busy)',
    );
    expect(valueText(['a', 'b'])).toBe('a\nb');
    expect(valueText({ isOn: true, attempts: 2, delayMinutes: 5, on: ['no_answer'] }, 'retry')).toBe(
      'Up to 2 calls, 5 minutes apart (no answer)',
    );
    expect(valueText('cold', 'transferMode')).toBe('At once');
    expect(valueText(['inboundGreeting', 'opening'], 'writtenCardFields')).toBe('Greeting\nOpening');
    expect(valueText('warm', 'name')).toBe('warm');
    expect(valueText([])).toBeNull();
  });
});

describe('two texts', () => {
  it('differ by words, and each side is its text', () => {
    const { before, after } = textDifference('Be kind and brief.', 'Be rude and brief.');
    expect(before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['kind']);
    expect(after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['rude']);
    expect(before.map(({ text }) => text).join('')).toBe('Be kind and brief.');
    expect(after.map(({ text }) => text).join('')).toBe('Be rude and brief.');
  });

  it('of the longest kind that share nothing keep nobody waiting', () => {
    const words = (seed: string) => Array.from({ length: 15_000 }, (_, index) => `${seed}${index}`).join(' ');
    const began = performance.now();
    const { before, after } = textDifference(words('a'), words('b'));
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(before.map(({ text }) => text).join('')).toBe(words('a'));
    expect(after.map(({ text }) => text).join('')).toBe(words('b'));
  });
});
