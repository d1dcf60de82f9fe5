import { describe, expect, it } from 'vitest';
import type { VersionContent } from '#lib/features/versions/rules.ts';
import { joinConflicts, mergeContents } from './rules.ts';

const at = '2026-03-02T09:00:00.000Z';
const prompt = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  title: id,
  createdAt: at,
  opening: 'Hello.',
  ...fields,
});
const content = (
  agent: Record<string, unknown>,
  outboundPrompts: ReturnType<typeof prompt>[] = [],
): VersionContent => ({ agent, outboundPrompts });

describe('a draft, after something else was published', () => {
  it('keeps what it changed and has the rest as published', () => {
    const base = content({ name: 'A', hints: null, voiceId: 'one' });
    const live = content({ name: 'A', hints: 'published', voiceId: 'one' });
    const draft = content({ name: 'Draft', hints: null, voiceId: 'one' });
    expect(mergeContents(base, live, draft)).toEqual({
      content: content({ name: 'Draft', hints: 'published', voiceId: 'one' }),
      conflicts: [],
    });
  });

  it('keeps its own where both changed a field, and says so; the same change is no conflict', () => {
    const base = content({ name: 'A', hints: null });
    const live = content({ name: 'Published', hints: 'same' });
    const draft = content({ name: 'Draft', hints: 'same' });
    expect(mergeContents(base, live, draft)).toEqual({
      content: content({ name: 'Draft', hints: 'same' }),
      conflicts: [{ promptId: null, field: 'name' }],
    });
  });

  it('gets prompts that were published, and loses those that were deleted and that it left alone', () => {
    const base = content({}, [prompt('left'), prompt('kept')]);
    const live = content({}, [prompt('kept'), prompt('new', { createdAt: '2026-03-03T09:00:00.000Z' })]);
    const draft = content({}, [prompt('left'), prompt('kept', { opening: 'Draft.' })]);
    const merged = mergeContents(base, live, draft);
    expect(merged.content.outboundPrompts.map(({ id, opening }) => [id, opening])).toEqual([
      ['kept', 'Draft.'],
      ['new', 'Hello.'],
    ]);
    expect(merged.conflicts).toEqual([]);
  });

  it('keeps a prompt that it changed and that was deleted, and the deletion of one that was changed, as conflicts', () => {
    const base = content({}, [prompt('changed'), prompt('removed')]);
    const live = content({}, [prompt('removed', { opening: 'Published.' })]);
    const draft = content({}, [prompt('changed', { opening: 'Draft.' })]);
    const merged = mergeContents(base, live, draft);
    expect(merged.content.outboundPrompts.map(({ id }) => id)).toEqual(['changed']);
    expect(merged.conflicts).toEqual([
      { promptId: 'removed', field: null },
      { promptId: 'changed', field: null },
    ]);
  });
});

describe('conflicts', () => {
  it('are each told once, until the field is saved again', () => {
    const name = { promptId: null, field: 'name' };
    const opening = { promptId: 'p1', field: 'opening' };
    expect(joinConflicts([name], [name, opening])).toEqual([name, opening]);
    expect(joinConflicts([name, opening], [], ({ field }) => field === 'name')).toEqual([opening]);
  });
});
