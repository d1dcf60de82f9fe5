import { expect, it } from 'vitest';
import { addTag, removeTag, type TagEdit } from './rules.ts';

const ADDED: TagEdit = { tag: 'refund', kind: 'added' };
const REMOVED: TagEdit = { tag: 'voicemail', kind: 'removed' };

it('keeps what a person adds apart from what the analyzer said', () => {
  expect(addTag(['voicemail'], [], 'refund')).toEqual({
    does: 'write',
    edit: ADDED,
    tags: ['voicemail', 'refund'],
  });
  expect(removeTag(['voicemail', 'refund'], [ADDED], 'refund')).toEqual({
    does: 'take back',
    tags: ['voicemail'],
  });
});

it("keeps the removal of an analyzer's tag as a decision, until it is taken back", () => {
  expect(removeTag(['voicemail'], [], 'voicemail')).toEqual({ does: 'write', edit: REMOVED, tags: [] });
  expect(addTag([], [REMOVED], 'voicemail')).toEqual({ does: 'take back', tags: ['voicemail'] });
});

it('does nothing where the tag is there, or gone, already', () => {
  expect(addTag(['refund'], [ADDED], 'refund')).toEqual({ does: 'nothing' });
  expect(removeTag([], [REMOVED], 'voicemail')).toEqual({ does: 'nothing' });
});
