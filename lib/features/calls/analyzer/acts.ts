/**
 * What people say on the phone and what the keyless analyzer makes of it, in English: one act per kind of statement,
 * looked for in single sentences. docs/analyzer.md says what follows from each.
 */

/** "call me back", "someone ring me": the person is the one who is called. */
const CALLING = '(?:call|calls|ring|phone|try|contact|reach)';
const LATER =
  '(?:back|again|later|another time|some other time|some time|sometime|tomorrow|tonight|next|in (?:a|an|the|two|half)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|after|at a)';
const SOMEBODY =
  '(?:someone|somebody|anyone|anybody|a colleague|one of (?:us|you|them)|you|he|she|they|the \\w+)';
const STAFF =
  '(?:person|people|human|humans|being|someone|somebody|manager|supervisor|boss|operator|representative|rep|receptionist|agent|colleague|advis[eo]r|employee|staff|team|doctor|nurse|owner|technician|support|department|office|lawyer|accounting|sales|service)';

const HUMAN_ACTS = {
  declines: [
    /\b(?:not|isn't|aren't|no longer|never|ain't) (?:really |at all |even |the least bit |that |very )?interested\b/,
    /\b(?:no|zero|lost) interest\b/,
    /\bi('ll| will)? (?:pass|decline)\b/,
    /\bleave (?:me|us) alone\b/,
    /\b(?:i|we) (?:really )?(?:do not|don't|won't) (?:want|need) (?:this|that|it|any|anything|an appointment|your|one|a new)\b/,
    /\bno,? (?:thank you|thanks),? (?:i'm|we're|i am|we are) (?:good|fine|not|happy)\b/,
    /\bso no,? (?:thank you|thanks)\b|\bno,? (?:thank you|thanks),? not for (?:me|us)\b/,
    /\b(?:not|nothing) for (?:me|us)\b/,
    /\b(?:i|we) (?:do not|don't|never) (?:do|take part in|buy|take|accept|talk to|speak to|answer|donate)\b(?! (?:it|that|this|you|know))/,
    /\b(?:tired|sick) of (?:these|your|all|getting|this)\b/,
    /\b(?:i|we)('d| would) rather not\b(?! say)/,
    /\b(?:already|still) (?:have|has|got|found|use|using) (?:a|an|another|someone|somebody|our own|my own)\b(?! (?:appointment|question))/,
  ],
  optsOut: [
    /\b(?:stop|quit) (?:calling|phoning|ringing|bothering|harassing|contacting|with these)\b/,
    /\b(?:do not|don't|never|not to|nobody) (?:ever )?(?:call|contact|phone|ring|bother)s? (?:me|us|here|this|again|any ?more|back)\b/,
    /\b(?:take|remove|delete|strike|get) (?:me|us|my|our|this) ?(?:name|number|phone number)? ?(?:off|from|out of)\b/,
    /\b(?:unsubscribe|opt out|do not call list)\b/,
    /\b(?:lose|forget|erase) (?:my|this|our) number\b|\bget lost\b/,
    /\bdelete my (?:number|data|details)\b/,
  ],
  asksForHuman: [
    new RegExp(
      `\\b(?:speak|talk|speaking|talking|chat) (?:to|with) (?:a|an|the|some|any|your|my|one of your)? ?(?:real |actual |live |human )*${STAFF}\\b`,
    ),
    /\b(?:speak|talk|talking|speaking) (?:to|with) (?:someone|somebody|anyone|anybody|my|mr|mrs|ms|dr|doctor|miss)\b/,
    /\b(?:real|actual|live) (?:human|person|agent|people)\b(?! (?:or|\?))/,
    new RegExp(
      `\\b(?:get|give|want|need|connect|transfer|put) (?:me )?(?:through )?(?:to |with |on to )?(?:a|an|the|your|my|with a|to a) (?:real |human )?${STAFF}\\b`,
    ),
    /\b(?:put|get|connect|transfer|pass) me (?:through|over|on)\b/,
    /\b(?:put|get|connect|transfer) me (?:to|with)\b/,
    /\bhuman (?:being|please|agent)\b/,
    /\bis there (?:anyone|anybody|someone|somebody) (?:else )?(?:i|who|there)\b/,
  ],
  asksForCallback: [
    new RegExp(`\\b${CALLING} (?:me|us) (?:up )?${LATER}\\b`),
    new RegExp(
      `\\b(?:can|could|would|will|may|please have|have|ask|get) ${SOMEBODY} (?:please )?(?:to )?${CALLING} (?:me|us)\\b`,
    ),
    new RegExp(`\\b(?:can|could|would|will) you (?:please )?${CALLING} (?:back|again|later)\\b`),
    /\b(?:please|just|better|maybe) (?:call|ring|phone|try) (?:back|again|later)\b/,
    /^(?:call|ring|phone|try) (?:back|again|later)\b/,
    /\bcall ?back\b.*\bplease\b|\b(?:want|like|need|appreciate|have|get) a call ?back\b/,
    /\bgive (?:me|us) a (?:call|ring|buzz)\b/,
    /\b(?:bad|not a good|isn't a good|not the best|not a great) (?:time|moment)\b.*\b(?:later|tomorrow|another|next)\b/,
  ],
  callsThemselves: [
    /\b(?:i|we)('ll| will| shall| can|'d| would)? (?:rather )?(?:call|ring|phone|get back|be in touch|get in touch|let you know|come back)\b/,
  ],
  wrongNumber: [
    /\bwrong (?:number|person|guy|man|woman|house|company|place)\b/,
    /\b(?:there's|there is|we have|i know) (?:no|nobody|no one|not any) .*\b(?:here|name|called)\b/,
    /\b(?:no one|nobody) (?:here )?(?:called|named|by that name|of that name)\b/,
    /\b(?:doesn't|does not|no longer) (?:live|work)s? (?:here|there|with us)\b/,
    /\bnot (?:my|her|his) number any ?more\b/,
  ],
  deceased: [
    /\bpassed (?:away|on)\b/,
    /\b(?:has|have|is|'s|he|she|they|husband|wife|mother|father|son|daughter|brother|sister|mum|mom|dad|grandmother|grandfather) (?:has )?(?:recently )?(?:died|dead|deceased)\b/,
    /\bno longer (?:with us|alive|among us)\b/,
    /\blost (?:my|our|her|his) (?:husband|wife|mother|father|son|daughter|brother|sister|mum|mom|dad|partner)\b/,
    /\bfuneral\b/,
  ],
  cancels: [
    /\b(?:cancel|call off|drop|annul)\b/,
    /\b(?:can't|cannot|can not|won't|not able to|unable to) (?:make it|come|keep|attend|be there)\b/,
  ],
  saysNotAnswered: [
    /\b(?:that's|that is|this is|it's) not (?:what|an answer|the answer|my question)\b/,
    /\b(?:that|this) (?:doesn't|does not|didn't) answer\b/,
    /\b(?:you|you're|you are) (?:didn't|did not|haven't|have not|don't|not) (?:answer|answering|answered|listen|listening|understand|understanding)\b/,
    /\bi asked (?:you )?(?:about|for|when|what|where|how|whether|if|something)\b/,
  ],
  requests: [
    /\b(?:can|could|would|will) (?:you|someone|somebody) (?:please )?(?:send|email|mail|post|text|tell|check|update|change|correct|fix|look|pass|let|ask|give|arrange|make|order|extend|renew|prepare)\b/,
    /\bplease (?:send|email|mail|text|tell|let|ask|check|update|change|correct|fix|pass|have|get|make|order)\b/,
    /\b(?:i|we)('d| would)? (?:need|want|like) (?:you|someone|somebody) to\b/,
    /\b(?:somebody|someone) (?:should|has to|needs to|must|ought to)\b/,
  ],
  recordedGreeting: [
    /\bleave (?:me |us )?(?:a|your|the) (?:short |brief )?(?:message|name)\b/,
    /\b(?:after|at) the (?:tone|beep|signal)\b/,
    /\b(?:reached|this is) (?:the )?(?:voice ?mail|mailbox|answering machine)\b|\bmy voice ?mail\b/,
    /\bmailbox\b.*\b(?:full|cannot|not)\b/,
    /\b(?:person|number|party|customer|subscriber) you (?:are calling|have dialed|have dialled|dialed|called|have reached|are trying to reach) (?:is|has|can|does)\b/,
    /\b(?:not available|unavailable) (?:right now|at the moment|to take|to answer|at this time)\b/,
    /\b(?:can't|cannot|unable to) (?:come to the phone|take your call|answer the phone|accept any messages)\b/,
    /\byou(?:'ve| have) reached\b/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

const AGENT_ACTS = {
  cannotAnswer: [
    /\b(?:i|we) (?:really )?(?:do not|don't|did not|didn't) (?:know|have (?:that|this|any|the|an|more|details|access))\b/,
    /\b(?:i|we)('m| am|'re| are) (?:not|un)[ -]?(?:sure|certain|aware|able to (?:answer|say|tell|find|see|help|look))\b/,
    /\b(?:i|we)('m| am|'re| are) unable to (?:answer|say|tell|find|see|help|look|check)\b/,
    /\b(?:i|we) (?:can't|cannot|can not|couldn't|could not) (?:answer|say|tell|find|see|help|check|look|give you)\b/,
    /\b(?:is|that's|is something|outside|beyond) (?:of )?(?:what|not something|something) i (?:can't|cannot|can|know)\b/,
    /\b(?:no|any) information (?:about|on|for|regarding)\b/,
    /\bthat's a (?:good )?question (?:for|i)\b/,
  ],
  cannotDo: [
    /\b(?:i|we|it|that|this) (?:could not|couldn't|cannot|can't|can not|did not|didn't|won't|am unable|was unable|is not possible|isn't possible) (?:to )?(?:enter|book|save|change|cancel|move|connect|transfer|put|complete|go through|work|do|reach|process|schedule)\b/,
    /\b(?:nobody|no one|none of) .*\b(?:free|available|picking up|answering|reach|there)\b/,
    /\bno (?:colleague|human|person) (?:is|was) (?:free|available)\b/,
    /\b(?:something|it) went wrong\b|\bsystem is (?:down|not)\b/,
  ],
  promises: [
    /\b(?:i|we)('ll| will| am going to|'m going to| shall) (?:\w+ )?(?:pass|let|note|make a note|make sure|forward|send|tell|inform|ask|have|look|check|find out|arrange|see to|take care|update|correct|remove|get back|get in touch|be in touch|follow up|report|put (?:that|this|it) (?:on|in|down)|leave)\b/,
    /\b(?:have|has|is|'ve|been|will be) (?:now )?(?:noted|passed (?:that|this|it)? ?on|forwarded|taken (?:down|a message|your message))\b/,
    /\b(?:i|we)('ve| have) (?:noted|passed|forwarded|written|taken|made a note)\b/,
    /\b(?:somebody|someone|an? \w+|the team|one of (?:us|our|my)\b.*|they|he|she|the \w+|our \w+|dr\.? \w+|mr\.? \w+|mrs\.? \w+) will (?:\w+ )?(?:be in touch|get (?:back|in touch)|contact|call|ring|phone|confirm|look|take care|follow up|send|check|reach|come (?:by|out|over|to|today|tomorrow|and)|visit|repair|fix)\b/,
    /\bwill be (?:updated|corrected|sent|informed|told|removed|fixed|looked|in touch)\b/,
  ],
  notUnderstood: [
    /\b(?:did not|didn't|do not|don't) (?:quite |really )?(?:understand|catch|get (?:that|you|it))\b|\b(?:rephrase|say (?:that|it) (?:again|another way)|come again)\b/,
  ],
  promisesCall: [
    /\b(?:we|i|somebody|someone|a colleague|the team|they|he|she|the \w+|our \w+)('ll| will| can| shall) (?:gladly |be happy to |then )?(?:call|ring|phone|try) (?:you|back|again|then)\b/,
    /\b(?:have|get) (?:somebody|someone|a colleague|them|him|her|the \w+) (?:to )?(?:call|ring|phone) you\b/,
  ],
  offersCallback: [
    /\b(?:shall|should|would you like|do you want|can|could|may) .*\b(?:call|ring|phone) (?:you )?(?:back|again|later|you)\b.*\?/,
    /\bwould .* callback\b.*\?|\bcall ?back\b.*\?/,
  ],
  offersHuman: [
    /\b(?:shall|should|would you like|do you want|can|could|may) .*\b(?:connect|transfer|put you through|speak to|talk to)\b.*\?/,
  ],
  offersMore: [/\b(?:anything|something) else\b|\bany (?:other|more|further) questions\b|\bany questions\b/],
  books: [
    /\b(?:booked|scheduled|reserved|confirmed|all set|penciled|pencilled)\b/,
    /\bput you (?:down|in)\b|\bsee you (?:on|then|at|tomorrow|next|mon|tues|wednes|thurs|fri|satur|sun)/,
    /\b(?:appointment|table|slot|visit|viewing|reservation|place|booking) (?:is|has been) (?:set|made|fixed|yours)\b/,
    /\b(?:look forward|looking forward) to (?:seeing|it|welcoming|meeting)\b/,
    /\b(?:we|i)('ll| will) (?:see|expect|call|ring|phone) you\b/,
    /\byou will hear from us\b/,
  ],
  cancelled: [
    /\b(?:i|we)('ve| have) (?:now |just )?(?:cancell?ed|called off|removed|taken you off)\b|\b(?:is|has been|are) (?:now )?cancell?ed\b/,
  ],
  asksToKeep: [
    /\bstill (?:work|suit|fit|good|fine|okay|convenient|come|make it)\b.*\?|\bwill you (?:be there|come|make it)\b.*\?|\bcan you (?:still )?(?:come|make it)\b.*\?|\bconfirm\b.*\?/,
  ],
  handsOver: [
    /\b(?:connecting|transferring|putting) you\b|\bi('ll| will) (?:connect|transfer|put) you\b|\bput you through\b/,
  ],
  aboutNotCalling: [
    /\b(?:not|never|nobody|no one|won't) .*\b(?:call|called|calls|contact|contacted|bother|bothered|hear from)\b/,
    /\b(?:list|removed you|remove you|remove your number|removed your number)\b/,
    /\bnot interested\b|\b(?:noted (?:it|that|this)|ma(?:ke|de) a note)\b/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

export type HumanAct = keyof typeof HUMAN_ACTS;
export type AgentAct = keyof typeof AGENT_ACTS;

/** What a sentence of the person does. */
export function humanActs(sentence: string): Set<HumanAct> {
  return actsIn(HUMAN_ACTS, sentence);
}

/** What a sentence of the agent does. */
export function agentActs(sentence: string): Set<AgentAct> {
  return actsIn(AGENT_ACTS, sentence);
}

function actsIn<Act extends string>(acts: Record<Act, readonly RegExp[]>, sentence: string): Set<Act> {
  const plain = normalized(sentence);
  const found = new Set<Act>();
  for (const act in acts) if (acts[act].some((pattern) => pattern.test(plain))) found.add(act);
  return found;
}

const YES =
  /^(?:oh |well |um |uh |okay |ok |all right |sure |great |perfect |yes )*[,.! ]*(?:yes|yeah|yep|yup|sure|of course|certainly|absolutely|definitely|correct|exactly|right|okay|ok|fine|perfect|great|please|please do|go ahead|alright|all right|sounds|that (?:works|suits|is fine|would)|that's (?:fine|right|good|great|perfect)|works for|wonderful|lovely|brilliant|excellent|i(?:'ll| will) (?:be there|take)|with pleasure|good|see you)\b/;
const NO =
  /^(?:(?:oh|well|um|uh|sorry|what|wait|hmm|hm)[,.!? ]+)*(?:no|nope|nah|not|never mind|i'd rather not|rather not|i don't|i didn't|i can't|actually no|wrong|that's (?:wrong|not)|forget it)\b/;

export function saysYes(text: string): boolean {
  return (
    YES.test(normalized(text)) &&
    !saysNo(text) &&
    !/\b(?:doesn't|does not|can't|cannot|but not)\b/.test(normalized(text))
  );
}

export function saysNo(text: string): boolean {
  return NO.test(normalized(text));
}

const GREETING =
  /^(?:hello|hi|hey|yes|yeah|who is (?:this|that|it|calling)|who's (?:this|that|there|calling)|(?:this is |it's )?\w+ speaking|speaking|good (?:morning|afternoon|evening)|who am i speaking to|[\s,.?!])+$/;

/** Said before any conversation began: "Hello?", "Yes, speaking." */
export function isOnlyGreeting(text: string): boolean {
  return GREETING.test(normalized(text));
}

/** Whether there is a conversation at all, or whose voice it is: a yes to that begins one, and agrees to nothing. */
const BEFORE_TALKING = [
  /\b(?:a|one|the|any|some) (?:quick |short |brief |free )?(?:moment|minute|second|time)\b/i,
  /\b(?:(?:time|free|able) to (?:talk|speak)|(?:good|bad) time|can (?:you|we|i) (?:talk|speak|hear)|still there|you (?:there|hear))\b/i,
  /\b(?:how are you|how (?:can|may) i help|(?:speak|speaking|talking) (?:to|with)|recorded|recording)\b/i,
  /^(?:[^?]*[,.!] )?(?:is (?:this|that|it)|are you|do i have|have i (?:got|reached)) (?!.*\b(?:your|still|right|correct|ok|okay|fine|good|interested|coming|able|well|happy)\b)/i,
];
const PROPOSES_DAY =
  /\b(?:\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|next (?:week|month)|appointment|book)\b/i;

/** "Shall I book Thursday at ten?" "Yes.", after which the person may hang up: that was no greeting. */
export function agreesTo(
  asked: { speaker: 'agent' | 'human'; sentences: readonly { text: string }[] } | undefined,
  answer: string,
): boolean {
  const question = asked?.speaker === 'agent' ? (asked.sentences.at(-1)?.text ?? '') : '';
  if (!question.endsWith('?') || !saysYes(answer)) return false;
  return PROPOSES_DAY.test(question) || !BEFORE_TALKING.some((pattern) => pattern.test(question));
}

export function normalized(text: string): string {
  return text.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();
}
