import { inviteText, OFFER, PEER, US } from './testing.ts';

/**
 * What becomes of a message, in the manner of RFC 4475: `opens` a call, is `answered` with a status, or is `ignored`. What
 * may not open a call may be ignored or refused; the status is named where a peer learns something from it.
 */
export type TortureMessage = {
  name: string;
  text: string;
  becomes: 'opens' | 'ignored' | 'ignored or refused' | { answered: number };
  /** What is read of it. */
  called?: string;
  caller?: string | null;
};

type Change = readonly [RegExp | string, string];

const changed = (text: string, changes: readonly Change[]) =>
  changes.reduce((all, [from, to]) => {
    if (!(typeof from === 'string' ? all.includes(from) : from.test(all)))
      throw new Error(`${String(from)} stands nowhere`);
    return all.replace(from, () => to);
  }, text);

/** The ordinary INVITE, with other headers or another body. */
export const invite = (changes: readonly Change[], body = OFFER) =>
  inviteText((headers) => changed(headers, changes), body);
/** The same without an offer, changed anywhere: also in the headers about its body. */
export const bare = (...changes: Change[]) => changed(inviteText(undefined, ''), changes);

export const other = (method: string, ...changes: Change[]) =>
  bare([/^INVITE/, method], ['1 INVITE', `1 ${method}`], ...changes);

export const response = (line: string, ...changes: Change[]) =>
  changed(
    `${line}
Via: SIP/2.0/UDP ${US}:5060;branch=z9hG4bKnobody
From: <sip:+15550100001@${US}>;tag=ours
To: <sip:+15550199999@${PEER}>;tag=theirs
Call-ID: nobody@${US}
CSeq: 1 OPTIONS
Content-Length: 0

`,
    changes,
  );
