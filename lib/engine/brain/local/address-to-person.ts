const DETERMINER = '(?:the |our |this |each |every |a |an )';
const KIND = '(?:existing |new |potential |current |former )?';
const ONE =
  '(?:customer|client|patient|caller|person|lead|prospect|recipient|user|contact|member|guest|subscriber|tenant|applicant|candidate|homeowner)';
const NAME_VARIABLES =
  /^(?:first_?name|name|full_?name|customer(?:_?name)?|patient(?:_?name)?|client(?:_?name)?|contact(?:_?name)?|lead(?:_?name)?|recipient(?:_?name)?)$/i;
/** After these, "her" is the person and not what belongs to her. */
const NOT_OWNED =
  '(?:an?|the|some|any|another|this|that|our|my|to|about|of|if|whether|for|at|on|in|and|or|with|what|when|how|again|back)';

/** The called person's names among the variables of a call. */
export function namesOf(variables: Record<string, string>): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => NAME_VARIABLES.test(name) && value.trim().length > 1)
    .map(([, value]) => value.trim());
}

/**
 * A prompt speaks to the agent about a person ("remind the patient of their check-up"). Said on the call, that person
 * is "you", and what the prompt calls "you" is "we": "remind you of your check-up".
 */
export function addressToPerson(clause: string, variables: Record<string, string>): string {
  const names = namesOf(variables).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const person = [
    ...names,
    `${DETERMINER}${KIND}${ONE}`,
    `(?<!\\bhow many )${DETERMINER}?${KIND}(?:${ONE}s|people)`,
  ].join('|');
  const replacements: readonly [RegExp, string][] = [
    [/\byourself\b/gi, 'myself'],
    [/\byours?\b/gi, 'our'],
    [/\byou\b/gi, 'we'],
    [new RegExp(`\\bthe (\\w+) of (?:${person})(?![\\w'’])`, 'gi'), 'your $1'],
    [new RegExp(`\\b(?:${person})['’]s?(?=\\s)`, 'gi'), 'your'],
    [new RegExp(`\\b(?:${person})(?![\\w'’])`, 'gi'), 'you'],
    [/\b(?:their|his)\b/gi, 'your'],
    [new RegExp(`\\bher\\b(?=\\s+(?!${NOT_OWNED}\\b)\\w)`, 'gi'), 'your'],
    [/\b(?:them|him|her)\b/gi, 'you'],
    [/\b(?:they|he|she)(?: is| are|['’]s|['’]re)\b/gi, 'you are'],
    [/\b(?:they|he|she) (?:has|have)\b/gi, 'you have'],
    [/\b(?:they|he|she)\b/gi, 'you'],
    [/\byou is\b/gi, 'you are'],
    [/\byou was\b/gi, 'you were'],
    [/\byou has\b/gi, 'you have'],
    [/\s+/g, ' '],
  ];
  return replacements.reduce((text, [pattern, word]) => text.replace(pattern, word), clause).trim();
}
