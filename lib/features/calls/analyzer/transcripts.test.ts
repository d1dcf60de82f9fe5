import { describe, expect, it } from 'vitest';
import { createLogger } from '#lib/log.ts';
import { analyzeCall } from './analyze.ts';
import known from './transcripts/known.json' with { type: 'json' };
import { callFrom, type LabelledCall } from './testing.ts';
import unseen from './transcripts/unseen.json' with { type: 'json' };

const log = createLogger('silent');
const analyze = (labelled: LabelledCall) =>
  analyzeCall(callFrom(labelled), { languageModel: undefined, log });

describe('the rules on labelled calls', () => {
  it.each(known as LabelledCall[])('$name', async (labelled) => {
    const { disposition, tags, sentiment, summary } = await analyze(labelled);
    expect({ disposition, tags: tags.toSorted(), sentiment }).toEqual(labelled.expected);
    for (const words of labelled.summary ?? []) expect(summary).toContain(words);
  });

  it('say of calls they were not made with what happened, and of most how the person felt', async () => {
    const results = await Promise.all(
      (unseen as LabelledCall[]).map(async (labelled) => ({ labelled, analysis: await analyze(labelled) })),
    );
    for (const { labelled, analysis } of results) {
      const { disposition, tags } = labelled.expected;
      expect({ disposition: analysis.disposition, tags: analysis.tags.toSorted() }, labelled.name).toEqual({
        disposition,
        tags,
      });
    }
    const felt = results.filter(
      ({ labelled, analysis }) => analysis.sentiment === labelled.expected.sentiment,
    );
    expect(felt.length).toBeGreaterThanOrEqual(31);
  });
});
