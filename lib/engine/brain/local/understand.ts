/** What a person meant, as far as rules can tell. Several can hold at once; the policy decides which one counts. */
export type Understanding = {
  isFarewell: boolean;
  wantsNoMore: boolean;
  declines: boolean;
  wantsHuman: boolean;
  wantsCallback: boolean;
  wantsAppointment: boolean;
  /** Agrees to, or asks for, a moment that is named beside it. */
  suitsMe: boolean;
  asksWhetherAi: boolean;
  asksWho: boolean;
  asksWhy: boolean;
  asksScope: boolean;
  asksHowAreYou: boolean;
  asksToRepeat: boolean;
  asksToWait: boolean;
  cannotHear: boolean;
  agrees: boolean;
  refuses: boolean;
  thanks: boolean;
  isGreeting: boolean;
  isQuestion: boolean;
  isOffTopic: boolean;
};

const PATTERNS: Record<Exclude<keyof Understanding, 'isQuestion'>, RegExp> = {
  isFarewell:
    /\b(good ?bye|bye( bye)?|see you|talk to you (later|soon|then)|have a (nice|good|great|lovely) (day|one|evening|weekend)|(i|we)('ve| have| had)? (got to|gotta|have to|need to|must|to) (go|run|leave|hang up)|hang(ing)? up now)\b/,
  wantsNoMore:
    /\b(that's|that is|that was|that will be|that'll be) (all|everything|it)\b|\bno(pe)?,? (that's|that is|i'm|thanks|thank you)|\bnothing (else|more)|\bno more questions|\ball good\b|\bi'm (good|fine|all set)\b|\bno (further )?questions\b|\bno need\b/,
  declines:
    /\b(not|no longer|never) interested|\bno interest\b|\bdon't (want|need) (it|this|that|any|anything|your)\b|\b(stop|quit) (calling|bothering)|\b(don't|do not|never) (call|ring|contact) (me|us|here|again|this)|\btake me off|\bremove (me|my number)|\bleave me alone|\btired of (these|your) calls/,
  wantsHuman:
    /\b(real|actual|live) (person|human|agent|people)\b|\b(speak|talk|chat) (to|with) (a |an |the |your |some)?(real |live |human )?(person|human|someone|somebody|agent|operator|representative|colleague|manager|supervisor|staff|employee|receptionist)\b|\bput me through|\btransfer me\b|\bconnect me\b|\bhuman (agent|being|please)\b|^(a |an )?(human|agent|operator|person|representative)[,.! ]*(please)?[.!]*$/,
  wantsCallback:
    /\b(call|ring|phone|try|contact|reach) (me|us) (back|again|later|tomorrow|another|next|some|in |at a|on another)|\bcall ?back\b|\bcall (again|another time|later)\b|\b(bad|not a good|isn't a good|not the best|not a great) (time|moment)|\b(i'm|i am|we're) (a (bit|little) |very |quite |really |so )?(busy|driving|in a meeting|at work)|\b(no|don't have|haven't got) time (right )?now|\btry (me )?(again )?(later|next)/,
  wantsAppointment:
    /\b(make|arrange|set up|get|need|want|like|schedule|book|reserve|reschedule|move|change|find) (me )?(an?|my|the|another|some|our)? ?(new |first |free |next |earlier |later )?(appointment|booking|reservation|slot|meeting|demo|visit|consultation|check-?up|viewing|table)s?\b|\b(book|schedule|reschedule|reserve)\b|\bcome (in|by|over)\b|\bput me down\b|\bpencil (me|it)\b|\ban appointment\b/,
  suitsMe:
    /\bcould (we|i) do\b|\bhow about\b|\b(works|work|suits|suit|fits|is (good|fine|great|okay|ok|possible)) (well )?(for |with )?(me|us)\b|\bwould (be (good|fine|great|possible)|work|suit)\b/,
  asksWhetherAi:
    /\b(are|r) (you|u|this) (really |actually |even |just |like )?(a |an |some (kind|sort) of )?(real|robot|bot|ai|a\.i\.|machine|computer|human|person|recording|artificial|automated|chat ?bot|virtual|chatgpt|actual)|\b(am i|i'm|i am) (speaking|talking) (to|with) (a |an )?(real|robot|bot|ai|machine|computer|human|recording|actual)|\bis (this|that|it) (a |an )?(real person|robot|bot|ai|machine|computer|recording|automated|human)|\byou('re| are) (a |an )?(robot|bot|ai|machine|computer)\b/,
  asksWho:
    /\bwho('s| is| are| am i) (this|that|you|calling|there|speaking|i speaking|talking)|\b(what's|what is) your name|\bwho do you (work|call) for|\bwhere (are|do) you (calling|call|from|guys)|\bwhich company|\bwhat company|\bwho am i (speaking|talking)|\byour name( again)?\?/,
  asksWhy:
    /\bwhat('s| is| was)? (this|it|that|the call|your call) (all )?(about|regarding|for|concerning)|\bwhy (are|do|did) you (call|calling|ring|phone)|\bwhat do you want|\bhow (can|may) i help|\bwhat can i do for you|\bwhat's (it|this) (about|for)|\bthe (reason|purpose) (of|for) (the|your|this) call|\bwhat are you (selling|calling)|\bwhat about\?/,
  asksScope:
    /\bwhat (you|this) (can|could|do|offer)\b( do\b)?(?! (want|mean|need|think))|\bwhat (can|do|could) you (do|help|offer)|\bhow (can|could) you help|\bwhat (can|could) i ask|\bhelp people with|\bwhat (services|kind of help)/,
  asksHowAreYou: /\bhow (are|r) you|\bhow's it going|\bhow do you do|\bhow are things|\bwhat's up\b/,
  asksToRepeat:
    /\b(repeat|say) (that|it)( again)?|\bcome again\b|\bpardon\b|\bwhat did you say|\bdidn't (catch|hear|get|understand)|\bsay again\b|\bone more time\b|^(sorry|excuse me|what|huh)\?+$|\bcan you repeat/,
  asksToWait:
    /\b(hold on|one (moment|second|sec|minute)|just a (moment|second|sec|minute)|wait a (moment|second|sec|minute)|give me a (moment|second|sec|minute)|hang on)\b/,
  cannotHear:
    /\b(can't|cannot|can barely|hardly) hear|\bbreaking up\b|\bare you (still )?there|\bcan you hear me|^(hello\?+\s*)+$/,
  agrees:
    /^(oh |well |um |uh )?(yes|yeah|yep|yup|sure|of course|certainly|absolutely|definitely|correct|exactly|right|okay|ok|fine|perfect|great|sounds (good|great|fine)|please do|go ahead|alright|all right|that('s| is| works| sounds| would)|works for me|i (do|would|am)|indeed|why not|with pleasure|good)\b/,
  refuses:
    /^(oh |well |um |uh |sorry,? )?(no|nope|nah|not really|i'd rather not|rather not|better not|not now|never ?mind|that's (wrong|not right|incorrect)|i don't think so|wrong)\b/,
  thanks: /\b(thanks|thank you|cheers|appreciate)\b/,
  isGreeting: /^(oh |ah )?(hello|hi|hey|good (morning|afternoon|evening)|speaking|hello there|greetings)\b/,
  isOffTopic:
    /\b(joke|weather|poem|song|sing|recipe|president|election|politic\w*|football|soccer|world cup|bitcoin|crypto\w*|lottery|horoscope|translate|capital of|meaning of life|homework|movie|favou?rite (colou?r|food|movie)|do you (love|like|dream|sleep|eat)|write (me )?(a|some) (code|program|essay)|ignore (all|your|previous|the) .*instructions|system prompt|your (prompt|instructions))\b/,
};

const QUESTION_START =
  /^(?:(?:hi|hello|hey|okay|ok|yes|yeah|well|so|and|but|um|uh|sure|great|thanks|thank you|actually|sorry|please)[,.! ]+)*(?:what|when|where|which|who|whose|why|how|do you|does|did|is (?:there|it|the|your|that|this)|are (?:there|you|the|your)|can (?:i|you|we)|could (?:i|you|we)|will|would (?:you|it)|may i|should|have you|has|am i|tell me)\b/;
const STATES_QUESTION =
  /\b(i'd like to know|i would like to know|i want to know|i was wondering|can you tell me|could you tell me|do you know|i have a question about)\b/;

export function understand(utterance: string): Understanding {
  const text = utterance.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();
  const found = Object.fromEntries(
    Object.entries(PATTERNS).map(([name, pattern]) => [name, pattern.test(text)]),
  );
  const sentences = text.split(/(?<=[.!?])\s+/);
  const isQuestion =
    text.includes('?') ||
    STATES_QUESTION.test(text) ||
    sentences.some((sentence) => QUESTION_START.test(sentence));
  return { ...NOTHING, ...found, isQuestion };
}

const NOTHING: Understanding = {
  isFarewell: false,
  wantsNoMore: false,
  declines: false,
  wantsHuman: false,
  wantsCallback: false,
  wantsAppointment: false,
  suitsMe: false,
  asksWhetherAi: false,
  asksWho: false,
  asksWhy: false,
  asksScope: false,
  asksHowAreYou: false,
  asksToRepeat: false,
  asksToWait: false,
  cannotHear: false,
  agrees: false,
  refuses: false,
  thanks: false,
  isGreeting: false,
  isQuestion: false,
  isOffTopic: false,
};
