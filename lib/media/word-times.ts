import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpokenWord } from '#lib/ports/speech.ts';

/** How loud a sound is over time, coarse enough to be kept for a whole text. */
export type SoundShape = {
  add(samples: Int16Array): void;
  durationMs(): number;
  /** Loudest sample of each stretch of `SHAPE_MS`. */
  peaks(): readonly number[];
};

const SHAPE_MS = 10;
const SHAPE_SAMPLES = SHAPE_MS * SAMPLES_PER_MS;
/** Below this part of the loudest sample it is silent. */
const SILENT_SHARE = 0.03;
/** Shorter silences are part of a sound: the closure of a "t". */
const PAUSE_MS = 60;
/** A pause so far from where the punctuation would have it belongs to something else. */
const MOST_OFF_MS = 700;

export function createSoundShape(): SoundShape {
  const peaks: number[] = [];
  let count = 0;
  return {
    // All sound of a call comes by here: a plain loop is a third of the work of one over values.
    add(samples) {
      for (let from = 0; from < samples.length;) {
        const filled = count % SHAPE_SAMPLES;
        const to = Math.min(samples.length, from + SHAPE_SAMPLES - filled);
        let peak = filled === 0 ? 0 : (peaks.pop() ?? 0);
        for (let at = from; at < to; at += 1) {
          const sample = samples[at] ?? 0;
          if (sample > peak) peak = sample;
          else if (-sample > peak) peak = -sample;
        }
        peaks.push(peak);
        count += to - from;
        from = to;
      }
    },
    durationMs: () => count / SAMPLES_PER_MS,
    peaks: () => peaks,
  };
}

/** Of a sound that is there as a whole. */
export function shapeOf(samples: Int16Array): SoundShape {
  const shape = createSoundShape();
  shape.add(samples);
  return shape;
}

/** Of a text that was cut: what was heard until then. */
export function shapeUntil(sound: SoundShape, untilMs: number): Pick<SoundShape, 'durationMs' | 'peaks'> {
  const durationMs = Math.min(sound.durationMs(), untilMs);
  return {
    durationMs: () => durationMs,
    peaks: () => sound.peaks().slice(0, Math.ceil(durationMs / SHAPE_MS)),
  };
}

/**
 * The same from the times that a provider told, in its own words: "$5" is one word of the text and three that are spoken.
 * What it did not tell lies between its neighbours. Undefined where nothing of it is found in the text.
 */
export function wordStartsOf(text: string, spoken: readonly SpokenWord[]): number[] | undefined {
  const words = [...text.matchAll(/\S+/g)];
  const starts: (number | undefined)[] = words.map(() => undefined);
  let at = 0;
  for (const { text: word, startMs } of spoken) {
    const found = text.toLowerCase().indexOf(word.trim().toLowerCase(), at);
    if (word.trim() === '' || found === -1) continue;
    at = found + word.trim().length;
    const index = words.findLastIndex((each) => each.index <= found);
    if (index >= 0) starts[index] ??= Math.round(startMs);
  }
  const endMs = spoken.at(-1)?.endMs ?? 0;
  return starts.every((start) => start === undefined) ? undefined : fillGaps(starts, endMs);
}

function fillGaps(starts: readonly (number | undefined)[], endMs: number): number[] {
  const filled: number[] = [];
  for (const [index, start] of starts.entries()) {
    const before = filled.at(-1) ?? 0;
    const later = starts.findIndex((each, at) => at > index && each !== undefined);
    const [toMs, steps] =
      later === -1 ? [endMs, starts.length - index + 1] : [starts[later] ?? endMs, later - index + 1];
    const guess = index === 0 ? before : before + (toMs - before) / steps;
    filled.push(Math.max(before, start ?? Math.round(guess)));
  }
  return filled;
}

type Stretch = { fromMs: number; toMs: number };

/**
 * Where each word (what stands between blanks) of a text begins in its sound, in milliseconds, where nobody tells it: pauses
 * that are heard lie where the punctuation is, and between them words take time by their letters. Measured on Flite,
 * docs/decisions/0196.
 */
export function estimateWordStarts(text: string, sound: Pick<SoundShape, 'durationMs' | 'peaks'>): number[] {
  const words = text.match(/\S+/g) ?? [];
  if (words.length === 0) return [];
  const voiced = voicedStretches(sound);
  const voicedMs = voiced.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const weights = words.map(weigh);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const anchors = anchorsOf(
    words,
    weights.map((weight) => (weight / totalWeight) * voicedMs),
    voiced,
  );
  return anchors.flatMap(({ firstWord, fromMs }, index) => {
    const next = anchors[index + 1];
    const part = weights.slice(firstWord, next?.firstWord);
    return spread(part, stretchesBetween(voiced, fromMs, next?.fromMs ?? Number.POSITIVE_INFINITY));
  });
}

/** Which words surely begin after which pause. */
function anchorsOf(words: readonly string[], lengthsMs: readonly number[], voiced: readonly Stretch[]) {
  const anchors = [{ firstWord: 0, fromMs: voiced[0]?.fromMs ?? 0 }];
  let passedMs = 0;
  let used = 0;
  for (const [index, word] of words.entries()) {
    passedMs += lengthsMs[index] ?? 0;
    if (index === words.length - 1 || !endsPhrase(word)) continue;
    let best: { at: number; offMs: number } | undefined;
    let beforeMs = 0;
    for (const [at, stretch] of voiced.entries()) {
      if (at > used) {
        const offMs = Math.abs(beforeMs - passedMs);
        if (offMs <= MOST_OFF_MS && (!best || offMs < best.offMs)) best = { at, offMs };
      }
      beforeMs += stretch.toMs - stretch.fromMs;
    }
    const begins = best && voiced[best.at];
    if (!best || !begins) continue;
    used = best.at;
    anchors.push({ firstWord: index + 1, fromMs: begins.fromMs });
    // From here on what was guessed too long or too short is known.
    passedMs = voiced.slice(0, best.at).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  }
  return anchors;
}

const stretchesBetween = (voiced: readonly Stretch[], fromMs: number, toMs: number) =>
  voiced.filter((stretch) => stretch.fromMs >= fromMs && stretch.fromMs < toMs);

/** Words over the time in which something is heard. */
function spread(weights: readonly number[], voiced: readonly Stretch[]): number[] {
  const voicedMs = voiced.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return weights.map((weight) => {
    const startMs = placeOf((passed / total) * voicedMs, voiced);
    passed += weight;
    return Math.round(startMs);
  });
}

function placeOf(voicedMs: number, voiced: readonly Stretch[]): number {
  let left = voicedMs;
  for (const { fromMs, toMs } of voiced) {
    if (left < toMs - fromMs) return fromMs + left;
    left -= toMs - fromMs;
  }
  return voiced.at(-1)?.toMs ?? 0;
}

function voicedStretches(sound: Pick<SoundShape, 'durationMs' | 'peaks'>): Stretch[] {
  const peaks = sound.peaks();
  const threshold = SILENT_SHARE * peaks.reduce((max, peak) => Math.max(max, peak), 0);
  const stretches: Stretch[] = [];
  for (const [index, peak] of peaks.entries()) {
    if (peak <= threshold) continue;
    const fromMs = index * SHAPE_MS;
    const last = stretches.at(-1);
    if (last && fromMs - last.toMs < PAUSE_MS) last.toMs = fromMs + SHAPE_MS;
    else stretches.push({ fromMs, toMs: fromMs + SHAPE_MS });
  }
  return stretches.length > 0 ? stretches : [{ fromMs: 0, toMs: sound.durationMs() }];
}

/**
 * How long a word takes beside others: fitted to 1,160 words of the five voices of Flite. A word before a pause is drawn out;
 * digits are spoken as whole words.
 */
const WEIGHTS = { vowels: 60, consonant: 68, beforePause: 142, digit: 300, word: 43 };

function weigh(word: string): number {
  const letters = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '');
  const spoken = letters.length > 3 ? letters.replace(/e$/, '') : letters;
  const vowels = spoken.match(/[aeiouyæøœı]+/g)?.length ?? 0;
  const consonants = letters.replace(/[aeiouyæøœı]/g, '').replace(/ch|sh|th|ck|ph|gh|ng|(.)\1/g, 'x').length;
  const digits = word.replace(/\D/g, '').length;
  return (
    WEIGHTS.vowels * vowels +
    WEIGHTS.consonant * consonants +
    WEIGHTS.digit * digits +
    (endsPhrase(word) ? WEIGHTS.beforePause : 0) +
    WEIGHTS.word
  );
}

const endsPhrase = (word: string) => /[,;:.!?…–—]["')\]]*$/.test(word);
