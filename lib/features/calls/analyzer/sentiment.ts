import { readEnglish, sentimentOfEnglish } from '#lib/text/english.ts';
import { humanActs, isOnlyGreeting, normalized } from './acts.ts';
import type { Sentiment } from './facts.ts';

/** Manners and words of business, which the library takes for feelings: "Yes, please", "cancel", "sorry to bother". */
const MANNERS =
  /\b(?:yes|please|thanks|thank you|thank|sorry|excuse me|hello|hi|good (?:morning|afternoon|evening)|goodbye|bye|hope|okay|ok|all right|alright|fine|sure|no (?:problem|worries|need)|like(?! it| that| this)|want|wanted|need|help|care|mind|interested|cancel|lost|wrong|moment|real|charge|pay|insurance|leave|free|miss(?:ed)?|stop|i'm afraid|i am afraid|good day|good one|(?:good|great|best) (?:moment|time)|nice (?:day|evening|weekend|one)|best|true|number|share|support|reach|welcome|worth|asset|clear|easy|ready|certain|matters?|drop|decided|necessary|agreed?|confirm(?:ed)?|solved?|reached|allowed|suppl\w+|works?|working|cheers|better|interesting|complain|likewise|see you|certainly|credit|debit|warranty|protection|security|save|top|fit)\b|^(?:no|(?:very )?(?:good|well))(?=[,.!]|$)/g;

/** Said on the phone with more feeling than the words have by themselves. */
const GLAD =
  /\b(?:thank(?:s| you) (?:so|very) much|thanks a (?:lot|million|bunch)|many thanks|(?:that|this)(?:'s| is) (?:a relief|great|perfect|wonderful|lovely|brilliant|amazing|fantastic|excellent|very (?:kind|helpful)|so (?:kind|helpful))|you(?:'ve| have) been (?:so |very |really )?(?:helpful|kind|great)|sounds (?:good|great|perfect|wonderful)|(?:is|works) (?:great|perfect|wonderful)|made my day|(?:great|perfect|wonderful|lovely|brilliant|excellent|awesome|fantastic)[,.! ]|(?:that|this|it) (?:really )?helps)/;
const CROSS =
  /\b(?:ridiculous|how many (?:more )?times|you people|(?:third|fourth|fifth|sixth|tenth) (?:call|time|attempt)|unbelievable|unacceptable|nightmare|shambles|joke|money back|get lost|lose my number|(?:talk|speak) to (?:machines|robots|computers|a machine|a robot|a computer)|never again|incompetent|rude|useless|disgrace|disgusting|outrageous|scam|rubbish|nonsense|fed up|sick (?:and tired )?of|tired of|wast(?:e|ing) (?:of )?(?:my |our )?time|lawyer|sue you|report you|worst|enough of this|how dare|not again|for the (?:second|third|fourth|fifth|tenth|hundredth) time|(?:two|three|four|five|several|so many) times|i (?:already )?(?:said|told you)|(?:didn't|did not) i (?:say|tell)|not what i asked|(?:nobody|no one) (?:\w+ )?(?:answers?|answered|listens?|helps?|helped|cares?|replies|replied|responds?|responded|came|turned up|showed up|picks up|called (?:me|us|back))|been waiting|still waiting|leave (?:me|us) alone|shut up|damn|hell)\b/;
const IN_NEED =
  /\b(?:hurts|swollen|bleeding|in pain|terrible pain|smell gas|on fire|burning|flooded|an emergency)\b/;
/** A weak "not good": less than anger, more than nothing. */
const GLUM =
  /\b(?:not|isn't|wasn't|aren't|hardly|never|don't think (?:it|that)(?:'s| is)?) (?:so |very |really |that |too |at all |exactly |feeling )?(?:good|great|well|happy|helpful|satisfied|pleased|perfect|wonderful|impressed|acceptable|okay)\b/;
/** Praise that means its opposite. */
const SARCASM =
  /\b(?:(?:oh|well|yeah|wow|ah),? (?:great|wonderful|lovely|fantastic|brilliant|perfect|nice|super|fabulous|joy)\b.*\b(?:another|again|only|just|more|third|now (?:a|the)|robot|machine)\b|just what i (?:needed|wanted)|thank(?:s| you) for nothing|yeah,? right\b|how (?:nice|kind|lovely|wonderful|generous) (?:of you )?to finally|(?:great|fantastic|brilliant|wonderful|amazing) (?:service|job),? (?:really|indeed)|you (?:guys|people|lot) (?:are )?(?:really )?(?:doing )?(?:such )?a (?:great|brilliant|fantastic|wonderful|marvell?ous) job|^sure (?:he|she|you|they|it) (?:will|do|does|are|is)\b|big surprise|what a surprise|lucky me|congratulations on)\b/;
const HEDGED = /\b(?:might|maybe|perhaps|could|would|if|when|should|\?)/;
const GRIEF = -1;
const BLUNT_REFUSAL = -0.7;
const POLITE =
  /\b(?:thanks|thank you|sorry|kind|appreciate|nice of you|have a (?:nice|good|great|lovely)|i'm afraid|(?:happy|satisfied) with)\b/;
/** Below this a call has no sentiment worth telling. */
const THRESHOLD = 0.3;

/** What the person felt by the end: what was said last weighs most, as an angry caller may be pleased in the end. */
export function sentimentOf(turns: readonly string[]): Sentiment {
  const said = turns.filter((text) => !isOnlyGreeting(text));
  if (said.length === 0) return 'N_A';
  const isSarcastic = said.some((text) => SARCASM.test(normalized(text)));
  const sum = said.reduce((total, text, index) => {
    const mood = moodOf(text);
    const weight = 0.7 + (0.6 * (index + 1)) / said.length;
    return total + weight * (isSarcastic && mood > 0 ? -mood : mood);
  }, 0);
  if (sum <= -THRESHOLD) return 'NEGATIVE';
  return sum >= THRESHOLD ? 'POSITIVE' : 'NEUTRAL';
}

/** How one thing sounded that a person said, from about -2 to 2. */
export function moodOf(text: string): number {
  const isPolite = POLITE.test(normalized(text));
  return readEnglish(text).reduce((sum, sentence) => sum + moodOfSentence(sentence.text, isPolite), 0);
}

function moodOfSentence(sentence: string, isPolite: boolean): number {
  const plain = normalized(sentence);
  const acts = humanActs(plain);
  if (SARCASM.test(plain)) return -1;
  let mood = feelingOf(plain);
  if (acts.has('deceased')) mood += GRIEF;
  if (acts.has('declines') || acts.has('optsOut')) mood = Math.min(mood, isPolite ? 0 : BLUNT_REFUSAL);
  return mood;
}

function feelingOf(plain: string): number {
  if (CROSS.test(plain)) return -1;
  if ((GLUM.test(plain) && !/\b(?:moment|time)\b/.test(plain)) || IN_NEED.test(plain)) return -0.7;
  if (GLAD.test(`${plain} `)) return 0.9;
  const words = sentimentOfEnglish(plain.replace(MANNERS, ' '));
  // The library finds many words a little pleasant or unpleasant; only what it is sure of counts, and no "might be".
  return Math.abs(words) < 0.35 || (words > 0 && HEDGED.test(plain)) ? 0 : words;
}
