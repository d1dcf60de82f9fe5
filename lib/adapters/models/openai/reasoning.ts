/** Whether a model's answers begin with what is meant to be heard. */
export type AnswerBeginning = 'plain' | 'in_thought' | 'unknown';

/** A block of an answer that is not meant for anybody's ears, by its opening and closing marks. */
type Hidden = { open: string; close: readonly string[] };

const HIDDEN: readonly Hidden[] = [
  ...[
    'think',
    'thinking',
    'thought',
    'thoughts',
    'reasoning',
    'reflection',
    'scratchpad',
    'analysis',
    'seed:think',
  ].map((tag) => ({ open: `<${tag}>`, close: [`</${tag}>`] })),
  // Tools that a server did not recognise as such.
  ...['tool_call', 'tool_calls', 'function_call', 'tool_response'].map((tag) => ({
    open: `<${tag}>`,
    close: [`</${tag}>`],
  })),
  { open: '[THINK]', close: ['[/THINK]'] },
  { open: '[TOOL_CALLS]', close: ['\n'] },
  { open: '◁think▷', close: ['◁/think▷'] },
  { open: '<|START_THINKING|>', close: ['<|END_THINKING|>'] },
  { open: '<|tool_calls_section_begin|>', close: ['<|tool_calls_section_end|>'] },
  { open: '<|python_tag|>', close: ['<|eom_id|>', '<|eot_id|>'] },
  // The harmony format: every channel but the last one is the model's own.
  { open: '<|channel|>analysis', close: ['<|end|>', '<|start|>', '<|channel|>final'] },
  { open: '<|channel|>commentary', close: ['<|end|>', '<|start|>', '<|call|>', '<|channel|>final'] },
];
/** Marks that stand alone, left out by themselves. */
const MARKS =
  /<\|(?:start|end|message|return|channel|constrain|call|im_start|im_end|eot_id|eom_id|START_RESPONSE|END_RESPONSE|START_TEXT|END_TEXT)\|>(?:assistant|final)?|<\/?(?:answer|response|final|output)>|\[\/?(?:INST|RESPONSE)\]/gi;
const CLOSINGS = HIDDEN.filter(({ open }) => /think|reason/i.test(open)).flatMap(({ close }) => close);
const LONGEST_MARK =
  Math.max(...HIDDEN.flatMap(({ open, close }) => [open.length, ...close.map((mark) => mark.length)])) + 2;

/** How models think aloud where the mark that opens the thought is in the server's template instead of the answer. */
const THINKING_ALOUD =
  /^\s*(?:ok(?:ay)?,? (?:so|the|let|i )|alright|hmm|the (?:user|caller|person|customer) |we (?:need|have|are|should)|i (?:need|should|have) to|let me (?:think|see|start)|first,? (?:i|let|the)|so,? the )/i;
/** Before so many characters it cannot be told, where the first word is one of those. */
const ENOUGH_TO_JUDGE = 24;
const MAY_THINK_ALOUD = /^\s*(?:\p{L}*$|(?:ok|okay|alright|hmm+|the|we|i|let|first|so)(?!\p{L}))/iu;

/**
 * Takes what a model thinks to itself out of a streamed answer, and tools that it wrote out as text. Servers do so by
 * themselves where they know the model; where they do not, its private notes would be spoken. A thought that never
 * closes hides all that follows.
 *
 * `beginning`: `in_thought` where the model's answers are known to begin in the middle of a thought; `unknown` looks at
 * the first words, and holds what sounds like a thought back until it is closed or the answer is complete.
 */
export function createReasoningFilter({ beginning = 'plain' }: { beginning?: AnswerBeginning } = {}) {
  let buffer = '';
  let closing: readonly string[] | undefined = beginning === 'in_thought' ? CLOSINGS : undefined;
  /** Only supposed: without a closing mark it was the answer itself. */
  let isSupposed = beginning === 'in_thought';
  let isJudged = beginning !== 'unknown';
  let hasLoneClosing = false;

  function judge(isWhole: boolean): boolean {
    if (isJudged) return true;
    const isEnough = buffer.trimStart().length >= ENOUGH_TO_JUDGE || !MAY_THINK_ALOUD.test(buffer);
    if (!isEnough && !isWhole) return false;
    isJudged = true;
    if (THINKING_ALOUD.test(buffer)) {
      closing = CLOSINGS;
      isSupposed = true;
    }
    return true;
  }

  function takeHidden(marks: readonly string[], isWhole: boolean): boolean {
    const end = firstOf(buffer, marks);
    if (!end) {
      if (!isSupposed) buffer = isWhole ? '' : buffer.slice(-LONGEST_MARK);
      if (isSupposed && isWhole) closing = undefined;
      return isSupposed && isWhole;
    }
    // A mark that also opens the next part is left for it.
    buffer = buffer.slice(/^<\|(?:start|channel)/.test(end.mark) ? end.at : end.at + end.mark.length);
    closing = undefined;
    hasLoneClosing ||= isSupposed;
    isSupposed = false;
    return true;
  }

  function takeShown(isWhole: boolean): { text: string; isMore: boolean } {
    const lone = firstOf(buffer, CLOSINGS);
    const open = firstOf(
      buffer,
      HIDDEN.map((hidden) => hidden.open),
    );
    if (lone && (!open || lone.at < open.at)) {
      // The thought was begun by the server's own template: everything until here belonged to it.
      hasLoneClosing = true;
      buffer = buffer.slice(lone.at + lone.mark.length);
      return { text: '', isMore: true };
    }
    if (open) {
      const text = buffer.slice(0, open.at);
      buffer = buffer.slice(open.at + open.mark.length);
      closing = HIDDEN.find((hidden) => hidden.open === open.mark)?.close;
      return { text, isMore: true };
    }
    const cut = isWhole ? buffer.length : beginningOfMark(buffer);
    const text = buffer.slice(0, cut);
    buffer = buffer.slice(cut);
    return { text, isMore: false };
  }

  function take(isWhole: boolean): string {
    let shown = '';
    if (!judge(isWhole)) return shown;
    for (let isMore = true; isMore;) {
      if (closing) {
        isMore = takeHidden(closing, isWhole);
        continue;
      }
      const step = takeShown(isWhole);
      if (step.isMore && step.text === '' && hasLoneClosing) shown = '';
      shown += step.text;
      isMore = step.isMore;
    }
    return shown.replace(MARKS, '');
  }

  return {
    /** Takes a part of the answer, gives what of it may be heard. */
    push(delta: string): string {
      buffer += delta;
      return take(false);
    },
    flush: (): string => take(true),
    /** A thought was closed that was never opened: this model's answers begin in the middle of one. */
    hasLoneClosing: () => hasLoneClosing,
  };
}

function firstOf(text: string, marks: readonly string[]): { mark: string; at: number } | undefined {
  const lower = text.toLowerCase();
  let found: { mark: string; at: number } | undefined;
  for (const mark of marks) {
    const at = lower.indexOf(mark.toLowerCase());
    const isFirst =
      at >= 0 && (!found || at < found.at || (at === found.at && mark.length > found.mark.length));
    if (isFirst) found = { mark, at };
  }
  return found;
}

/** Where a mark may have begun that has not wholly arrived; the text's length where none has. */
function beginningOfMark(text: string): number {
  const from = Math.max(0, text.length - LONGEST_MARK);
  const at = text.slice(from).search(/[<[◁]/);
  if (at < 0) return text.length;
  const start = from + at;
  // A mark has no space in it: "a < b" is text.
  return /\s/.test(text.slice(start + 1)) ? text.length : start;
}
