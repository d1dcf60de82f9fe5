import { splitSentences } from '#lib/engine/brain/sentences.ts';

/** "You never book appointments", "Do not make any reservations on the phone". */
const NO_BOOKING =
  /\b(?:never|do not|don't|must not|may not|cannot|can't|can not|are not (?:able|allowed) to|not allowed to)\s+(?:ever\s+)?(?:make|take|book|schedule|arrange|accept|offer|set up)(?:\s+or\s+\w+)?\s+(?:(?:any|an|a|new|patient)\s+)*(?:appointments?|bookings?|reservations?|visits?|slots?)\b(.*)$/i;
/** What follows limits the order: "before 9 am", "without asking for the name". */
const LIMITED =
  /\b(?:unless|without|until|except|before|after|outside|if|when|where|on (?!the phone)|at (?!all)|for (?!(?:anyone|anybody|callers?|customers?|patients?|people|them)\b)|with(?! (?:anyone|anybody)\b)|that|which|in|more|twice|earlier|later|than|yourself until)\b/i;
const CONDITIONAL = /\b(?:if|when|unless|while|where|in case|should)\b/i;

/** Whether a prompt forbids to book anything at all, whatever else it says of appointments. */
export function forbidsBooking(body: string): boolean {
  return splitSentences(body)
    .flatMap((sentence) => sentence.split(/[;\n]/))
    .some((sentence) => {
      const found = NO_BOOKING.exec(sentence);
      if (!found) return false;
      const isLimited = LIMITED.test(found[1] ?? '') || CONDITIONAL.test(sentence.slice(0, found.index));
      return !isLimited;
    });
}
