import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '#lib/engine/languages/en.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createLanguageService } from './service.ts';

let runtime: TestRuntime;
beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(() => runtime.close());

/** The languages as a fresh process has them, with a model that answers so. */
function createLanguages(answer: () => unknown) {
  const clock = manualClock();
  const asked: string[] = [];
  const languageModel: LanguageModel = {
    model: 'double',
    respond: () => {
      throw new Error('unused');
    },
    async completeJson({ input }) {
      asked.push(input.split('\n')[0] ?? '');
      return { value: await answer(), usage: undefined };
    },
  };
  return { ...createLanguageService({ ...runtime, clock, languageModel }), asked, clock };
}

const ukrainian = { ...en, farewell: 'Дякую за ваш час. До побачення.' };

it('a language that does not come with the service is made once by the model, and kept', async () => {
  const first = createLanguages(() => ukrainian);
  const both = await Promise.all([first.speak('uk-UA', 8_000), first.speak('uk', 8_000)]);
  expect(both.map(({ code, lines }) => [code, lines.farewell])).toEqual([
    ['uk', ukrainian.farewell],
    ['uk', ukrainian.farewell],
  ]);
  expect(first.asked).toEqual(['Language: Ukrainian (uk)']);
  const later = createLanguages(() => Promise.reject(new Error('not asked')));
  expect((await later.speak('uk', 0)).lines).toEqual(ukrainian);
  expect(later.asked).toEqual([]);
});

it('is English where the model makes none in time, or leaves out a line or a placeholder', async () => {
  const answers = [{ ...ukrainian, aiDisclosure: 'Так.' }, { ...ukrainian, shallIGoOn: '' }, [], undefined];
  for (const answer of answers) {
    const failing = createLanguages(() => answer);
    expect(await failing.speak('bg', 8_000)).toEqual({ code: 'en', lines: en });
    await failing.speak('bg', 8_000);
    expect(failing.asked).toHaveLength(1);
  }
  const hanging = createLanguages(() => new Promise(() => undefined));
  let isDone = false;
  const waiting = hanging.speak('bg', 8_000).finally(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await hanging.clock.advance(1_000);
  }
  expect((await waiting).code).toBe('en');
  expect((await hanging.speak('de-AT', 0)).code).toBe('de-AT');
  expect(hanging.asked).toHaveLength(1);
});
