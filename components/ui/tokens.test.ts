import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8');

const THEMES = { light: block(':root'), dark: block('.dark') };

const GROUNDS = ['canvas', 'surface', 'raised', 'sunken', 'hover'];

/** Text on its ground, 4.5:1 (WCAG 1.4.3). */
const TEXT_PAIRS: [text: string, ground: string][] = [
  ...GROUNDS.flatMap((ground): [string, string][] => [
    ['ink', ground],
    ['ink-muted', ground],
    ['ink-subtle', ground],
    ['accent-text', ground],
    ['danger-text', ground],
    ['success-text', ground],
    ['warning-text', ground],
  ]),
  ...['accent', 'success', 'warning', 'danger'].flatMap((tone): [string, string][] => [
    [`${tone}-text`, `${tone}-soft`],
    ['ink', `${tone}-soft`],
    ['ink-muted', `${tone}-soft`],
  ]),
  ['accent-contrast', 'accent'],
  ['accent-contrast', 'accent-hover'],
  ['accent-contrast', 'danger-solid'],
  ['accent-contrast', 'danger-hover'],
  ['canvas', 'ink'],
  ...['surface', 'hover', 'accent-soft'].flatMap((ground): [string, string][] => [
    ['agent', ground],
    ['human', ground],
  ]),
];

/** Shapes that carry meaning, 3:1 (WCAG 1.4.11). */
const SHAPE_PAIRS: [shape: string, ground: string][] = [
  ...['canvas', 'surface', 'raised', 'sunken'].map((ground): [string, string] => ['ring', ground]),
  ['accent', 'surface'],
  ['ink-subtle', 'surface'],
  ['violet', 'surface'],
];

describe.each(Object.entries(THEMES))('the %s theme', (_name, tokens) => {
  it.each(TEXT_PAIRS)('shows %s on %s with at least 4.5:1', (text, ground) => {
    expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPE_PAIRS)('shows %s on %s with at least 3:1', (shape, ground) => {
    expect(contrast(tokens, shape, ground)).toBeGreaterThanOrEqual(3);
  });
});

it('gives every token a value in both themes', () => {
  expect([...THEMES.dark.keys()]).toEqual([...THEMES.light.keys()]);
});

/** The luminance of each opaque token of one rule. */
function block(selector: string): Map<string, number> {
  const body = css.split(`\n${selector} {`)[1]?.split('\n}')[0] ?? '';
  const tokens = body.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g);
  return new Map(
    [...tokens].map(([, name = '', l, c, h]) => [name, luminance(Number(l), Number(c), Number(h))]),
  );
}

function contrast(tokens: Map<string, number>, first: string, second: string): number {
  const a = tokens.get(first);
  const b = tokens.get(second);
  if (a === undefined || b === undefined) throw new Error(`no token ${a === undefined ? first : second}`);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Relative luminance of an OKLCH colour, clipped into sRGB as a browser does. Matrices: CSS Color 4, sample code. */
function luminance(lightness: number, chroma: number, hueDegrees: number): number {
  const hue = (hueDegrees * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
