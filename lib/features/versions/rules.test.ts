import { describe, expect, it } from 'vitest';
import { changesBetweenContents, contentOf, type VersionContent } from './rules.ts';

const at = new Date('2026-03-02T09:00:00.000Z');
const prompt = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  title: `Title of ${id}`,
  createdAt: at,
  updatedAt: at,
  workspaceId: 'ws',
  agentId: 'agent',
  instructions: 'Remind them.',
  retry: { isOn: false, attempts: 3 },
  ...fields,
});
const content = (agent: Record<string, unknown>, prompts: ReturnType<typeof prompt>[] = []): VersionContent =>
  contentOf(
    { id: 'agent', workspaceId: 'ws', versionId: 'ver', updatedAt: at, deletedAt: null, ...agent },
    prompts,
  );

describe('the content of a version', () => {
  it('is what people change, without where it stands and when it was changed', () => {
    expect(content({ name: 'Front desk' }, [prompt('p1')])).toEqual({
      agent: { name: 'Front desk' },
      outboundPrompts: [
        {
          id: 'p1',
          title: 'Title of p1',
          createdAt: at.toISOString(),
          instructions: 'Remind them.',
          retry: { isOn: false, attempts: 3 },
        },
      ],
    });
  });
});

describe('the changes between two contents', () => {
  it('are none where the database gave keys back in another order', () => {
    const one = content({ name: 'A' }, [prompt('p1', { retry: { isOn: true, attempts: 2 } })]);
    const other = content({ name: 'A' }, [prompt('p1', { retry: { attempts: 2, isOn: true } })]);
    expect(changesBetweenContents(one, other)).toEqual([]);
  });

  it('name the fields of the agent, then each prompt that came, changed or went', () => {
    const before = content({ name: 'A', hints: null }, [prompt('p1'), prompt('p2')]);
    const after = content({ name: 'B', hints: null }, [prompt('p2', { title: 'New' }), prompt('p3')]);
    expect(changesBetweenContents(before, after)).toEqual([
      { promptId: null, title: null, kind: 'changed', fields: ['name'] },
      { promptId: 'p2', title: 'New', kind: 'changed', fields: ['title'] },
      { promptId: 'p3', title: 'Title of p3', kind: 'added', fields: [] },
      { promptId: 'p1', title: 'Title of p1', kind: 'removed', fields: [] },
    ]);
  });
});
