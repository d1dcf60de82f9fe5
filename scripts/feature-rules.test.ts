import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { featureFaults, type SourceFile } from './feature-rules.ts';

const files: SourceFile[] = [];
for await (const path of glob('{lib,db/schema}/**/*.ts'))
  files.push({ path, text: await readFile(path, 'utf8') });

/** Of the real files, which have no fault, with one more or one changed. */
const faultsWith = (file: SourceFile) =>
  featureFaults([...files.filter(({ path }) => path !== file.path), file]);

describe('the rules of the features', () => {
  it('hold for the code as it is', () => {
    expect(featureFaults(files)).toEqual([]);
  });

  it('know the names that a file may have', () => {
    const faults = faultsWith({ path: 'lib/features/tags/colours.ts', text: '' });
    expect(faults).toEqual([expect.stringContaining('lib/features/tags/colours.ts: a file of a feature')]);
  });

  it('keep repositories and services out of folders of pure modules', () => {
    const faults = faultsWith({ path: 'lib/features/knowledge/split/repository.ts', text: '' });
    expect(faults).toEqual([expect.stringContaining('so it holds no repository')]);
  });

  it('find a table of another feature, imported or named in SQL', () => {
    const path = 'lib/features/tags/labels/repository.ts';
    const importing = "import { type agents } from '#db/schema/agents.ts';";
    expect(faultsWith({ path, text: importing })).toEqual([
      `${path}: agents belongs to agents, whose repository is to be asked`,
    ]);
    const querying = 'sql`update call_events set type = 1`';
    expect(faultsWith({ path, text: querying })).toEqual([
      `${path}: callEvents belongs to calls, whose repository is to be asked`,
    ]);
  });

  it('keep tables of the own feature to its repositories', () => {
    const text = "import { customTags } from '#db/schema/workspaces.ts';";
    expect(faultsWith({ path: 'lib/features/tags/rules.ts', text })).toContain(
      'lib/features/tags/rules.ts: customTags belongs to tags, whose repository is to be asked',
    );
  });

  it('ask for the owner of a new table', () => {
    const faults = faultsWith({
      path: 'db/schema/weather.ts',
      text: "export const forecasts = pgTable('forecasts', {});",
    });
    expect(faults).toEqual([expect.stringContaining('forecasts: a table belongs to one feature')]);
  });

  it('want no circle of features', () => {
    const text = "import { findAgent } from '#lib/features/agents/repository.ts';";
    const faults = faultsWith({ path: 'lib/features/usage/rules.ts', text });
    expect(faults).toEqual([expect.stringMatching(/import each other: .*agents/)]);
  });
});
