const FULL =
  /\b(mail ?box|voice ?mail)\b[^.]*\b(full|not been set up|cannot accept|can't accept)|\bcannot (accept|take|receive) (any )?(new )?messages|\bnot accepting messages/i;
const GREETING =
  /\b(leave|record)\b[^.]{0,40}\bmessage|\b(after|at) the (tone|beep|signal)|\byou('ve| have) reached (the )?(voice ?mail|mail ?box)|\bvoice ?mail\b|\bis not available\b[^.]*\b(message|later)/i;

/** Whether these are the words of a voicemail rather than of a person who picked up. */
export function soundsLikeMachine(utterance: string): boolean {
  return GREETING.test(utterance) || takesNoMessage(utterance);
}

/** Whether a voicemail says that no message can be left. */
export function takesNoMessage(utterance: string): boolean {
  return FULL.test(utterance);
}
