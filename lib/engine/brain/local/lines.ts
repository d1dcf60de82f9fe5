import type { VoiceCard } from '#lib/engine/plan.ts';
import table from './data/lines.json' with { type: 'json' };

type Tone = VoiceCard['tone'];
export type LineName = keyof typeof table;

/** Gives the local brain's own lines in a tone of voice, with `{…}` filled in. */
export function createLines(tone: Tone) {
  return (name: LineName, values: Record<string, string> = {}): string =>
    Object.entries(values).reduce(
      (text, [key, value]) => text.replace(`{${key}}`, () => value),
      table[name][tone],
    );
}

export type Lines = ReturnType<typeof createLines>;

export function isLineName(name: string): name is LineName {
  return Object.hasOwn(table, name);
}
