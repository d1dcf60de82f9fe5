import type { TurnCues } from './turn-cue.ts';
import { GERMANIC_CUES } from './turn-cues-germanic.ts';
import { OTHER_CUES } from './turn-cues-other.ts';
import { ROMANCE_CUES } from './turn-cues-romance.ts';
import { SLAVIC_CUES } from './turn-cues-slavic.ts';

/** By the first part of a BCP 47 code. */
const TURN_CUES: Record<string, TurnCues> = {
  ...GERMANIC_CUES,
  ...ROMANCE_CUES,
  ...SLAVIC_CUES,
  ...OTHER_CUES,
};

/** The cues of a language (BCP 47); English where none is given or it has no cues. */
export function turnCuesOf(language: string | null | undefined): TurnCues {
  const code = language?.split('-')[0]?.toLowerCase() ?? 'en';
  const known = Object.hasOwn(TURN_CUES, code) ? TURN_CUES[code] : undefined;
  return known ?? GERMANIC_CUES.en;
}
