/** What an answer to such a question holds, whatever else it says. Anything more is left to the words they share. */
const EXPECTED: readonly { question: RegExp; answer: RegExp }[] = [
  {
    question: /\b(when|what time|which day|how long|how soon|how often|hours|how late)\b/,
    answer:
      /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|(mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|minutes?|hours?|days?|weeks?|months?|years?|once|twice|always|daily|never)\b/,
  },
  {
    question: /\b(how much|price|cost|fee|charge|how many|how far|how big|how old)\b/,
    answer:
      /\d|\b(free|nothing|hundred|thousand|dollars?|euros?|pounds?|cents?|price|cost|none|one|two|three|four|five|ten)\b/,
  },
  {
    question: /\b(where|which (street|floor|address)|address|how do i (get|find))\b/,
    answer:
      /\b(street|road|avenue|lane|square|floor|building|behind|near|next to|beside|opposite|in front|garage|station|at|in|on)\b/,
  },
  {
    question: /^(hello|hi there|hi)?[.,! ]*(who|whose)\b/,
    answer: /\b(dr|mr|mrs|ms|doctor|team|our|we|i am|this is)\b/,
  },
  {
    question: /^(and |but |so )?(do|does|did|is|are|can|could|will|would|have|has|may|am|should)\b/,
    answer:
      /\b(yes|no|of course|certainly|sure|we (do|don't|can|can't|have|are|offer|accept|take)|you (can|may|could|must|should|are)|not|never|only|always|unfortunately|please)\b/,
  },
];

const COMMON =
  /^(what|when|where|which|who|whose|why|how|does|your|you|the|and|for|are|can|could|would|should|have|with|there|this|that|about|from|tell|know|like|please|any|much|many|long)$/;

/**
 * Whether the agent's words can be an answer to the question: they hold what such a question asks for, share a word
 * with it. Wrong only in the agent's favour: a person who objects to a good
 * answer would be stranger than one who swallows a bad one.
 */
export function canAnswer(question: string, answer: string): boolean {
  const asked = lowered(question);
  const said = lowered(answer);
  // "Yes, I am here" answers another question.
  if (/^yes, i('m| am| can) (still )?(here|hear)/.test(said)) return false;
  const expected = EXPECTED.filter((each) => each.question.test(asked));
  if (expected.some((each) => each.answer.test(said))) return true;
  const stems = new Set(stemsOf(said));
  return stemsOf(asked).some((stem) => stems.has(stem));
}

/** The question once more, put another way: "What are your hours?" → "Could you tell me what your hours are?" */
export function askAgain(question: string): string {
  const plain = question.trim().replace(/\?+$/, '');
  const found =
    /^(what|when|where|who|which [\w ]+?|how [\w]+) (is|are|was|were) (.+)$/i.exec(plain) ??
    /^(what|when|where|who|which [\w ]+?|how [\w]+|why) (can|could|should|will|would|may) (i|you|we|they|he|she|it) (.+)$/i.exec(
      plain,
    );
  if (found?.[4] !== undefined)
    return `Could you tell me ${lowerFirst(found[1])} ${found[3]} ${found[2]} ${found[4]}?`;
  if (found) return `Could you tell me ${lowerFirst(found[1])} ${found[3]} ${found[2]}?`;
  const whether = /^(do|can|could|will|would) (i|you|we|they) (.+)$/i.exec(plain);
  if (whether) {
    const verb = /^do$/i.test(whether[1] ?? '') ? '' : `${lowerFirst(whether[1])} `;
    return `Could you tell me whether ${lowerFirst(whether[2]) === 'i' ? 'I' : lowerFirst(whether[2])} ${verb}${whether[3]}?`;
  }
  return `My question was: ${plain}?`;
}

function lowerFirst(text = ''): string {
  return text === 'I' ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function lowered(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

/** The first letters of words that tell something: enough to find "parking" in an answer to "park". */
function stemsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 && !COMMON.test(word))
    .map((word) => word.slice(0, 5).replace(/s$/, '').slice(0, 4));
}
