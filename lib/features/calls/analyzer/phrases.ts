/** Phrases the keyless analyzer listens for, in English (docs/analyzer.md lists what follows from each). */

const DECLINES = [
  /\bnot (really |at all )?interested\b/,
  /\bno interest\b/,
  /\b(stop|quit) (calling|bothering|harassing)\b/,
  /\b(do not|don't|never) (call|contact|phone|ring) (me|us|here|this number)\b/,
  /\b(take|remove) (me|us|my number) (off|from)\b/,
  /\bleave (me|us) alone\b/,
  /\bi('ll| will) pass\b/,
  /\bno,? thank(s| you)\b.*\b(not|don't|do not)\b.*\b(need|want)\b/,
  /\b(i|we) (do not|don't) (want|need) (this|that|it|any|an appointment|your)\b/,
];

const ASKS_FOR_HUMAN = [
  /\b(speak|talk|speaking|talking) (to|with) (a|an|the|some|any|your) ?(real |actual |live )?(one|body|human|person|people|someone|somebody|manager|supervisor|operator|representative|receptionist|agent|colleague|staff)\b/,
  /\b(speak|talk) (to|with) (someone|somebody|anyone|anybody)\b/,
  /\b(real|actual|live) (human|person|agent)\b/,
  /\b(get|give|want|need|connect|transfer|put) (me )?(through )?(to |with )?(a|the|your) (human|person|manager|supervisor|operator|representative)\b/,
  /\b(put|get|connect|transfer) me (through )?(to|with) (someone|somebody|anyone|anybody|a|an|the|your)\b/,
  /\bhuman (being|please)\b/,
];

const ASKS_FOR_CALLBACK = [
  /\bcall (me|us) (back|again|later|another time|some other time|tomorrow|next week)\b/,
  /\b(ring|phone) (me|us) (back|again|later)\b/,
  /\b(could|can|would) (you|somebody|someone) call (me )?(back|later|again)\b/,
  /\bcall back (later|another time|tomorrow|some other time)\b/,
];

const UPSET = [
  /\b(annoy(ed|ing)|angry|furious|ridiculous|unacceptable|frustrat(ed|ing)|terrible|awful|horrible|disgusting|rude|upset|disappointed|scam)\b/,
  /\bwast(e|ing) (of )?(my |our )?time\b/,
  /\bfed up\b/,
  /\bsick (and tired )?of\b/,
];

const PLEASED = [
  /\b(great|perfect|wonderful|lovely|excellent|awesome|fantastic|brilliant|amazing)\b/,
  /\b(sounds|works) (good|great|fine|perfect)\b/,
  /\b(really |very )?(appreciate|helpful|kind of you)\b/,
  /\bthank(s| you) (so|very) much\b/,
  /\bthat (helps|is good|is great|'s good|'s great)\b/,
];

const NEGATED_PLEASURE =
  /\b(not|isn't|wasn't|aren't|hardly|don't think (it|that) (is|'s)?) (so |very |really |that |too )?(great|perfect|wonderful|good|helpful|happy)\b/;

export function declines(text: string): boolean {
  return matchesAny(DECLINES, text);
}

export function asksForHuman(text: string): boolean {
  return matchesAny(ASKS_FOR_HUMAN, text);
}

export function asksForCallback(text: string): boolean {
  const plain = normalized(text);
  return !declines(text) && ASKS_FOR_CALLBACK.some((phrase) => phrase.test(plain));
}

/** Above zero for pleased words, below for upset ones. */
export function moodOf(text: string): number {
  const plain = normalized(text);
  const negated = NEGATED_PLEASURE.test(plain);
  const up = negated ? 0 : PLEASED.filter((phrase) => phrase.test(plain)).length;
  const down =
    UPSET.filter((phrase) => phrase.test(plain)).length * 2 + (negated ? 1 : 0) + (declines(text) ? 2 : 0);
  return up - down;
}

const GREETING =
  /^(hello|hi|hey|yes|yeah|who is (this|that|it|calling)|speaking|good (morning|afternoon|evening)|[\s,.?!])+$/;

/** Said before any conversation began: "Hello?", "Yes, speaking." */
export function isOnlyGreeting(text: string): boolean {
  return GREETING.test(normalized(text));
}

function matchesAny(phrases: readonly RegExp[], text: string): boolean {
  const plain = normalized(text);
  return phrases.some((phrase) => phrase.test(plain));
}

function normalized(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim();
}
