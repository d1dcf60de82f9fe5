import type { CallSession } from './call-session.ts';
import { CALL_FAILURES } from './call-failure.ts';
import type { CallEnd } from './conversation.ts';
import type { ConversationResult } from './plan.ts';
import type { CloseReason, SilentCloseReason } from './turn-state.ts';

type Ending = { endedBy: NonNullable<ConversationResult['endedBy']>; endReason: string };

const CLOSED: Record<Exclude<CloseReason, 'failed' | 'end_ordered'> | SilentCloseReason, Ending> = {
  silence: { endedBy: 'limit', endReason: 'Nobody spoke until the silence limit.' },
  max_duration: { endedBy: 'limit', endReason: 'The call reached its maximum duration.' },
  usage_limit: { endedBy: 'limit', endReason: 'The monthly usage limit was reached.' },
  hold: { endedBy: 'limit', endReason: 'The person put the call on hold and did not come back.' },
  shutdown: { endedBy: 'shutdown', endReason: 'The service was stopped during the call.' },
  // The transfer came to nothing because the line was gone.
  transfer_ordered: { endedBy: 'human', endReason: 'The person hung up while the call was transferred.' },
};

const HUNG_UP: Record<ReturnType<CallSession['person']>, string> = {
  silent: 'The person hung up without a word.',
  understood: 'The person hung up.',
  not_understood: 'The person hung up. What they said last could not be turned into words.',
};

/** Who ended the call, and why, in one sentence for a person. */
export function describeEnd(end: CallEnd, person: ReturnType<CallSession['person']>): Ending {
  const hungUpBy = end.hangup?.by ?? 'carrier';
  if (end.isMessageCut)
    return { endedBy: hungUpBy, endReason: 'A message was left on the voicemail, which cut it off.' };
  if (end.voicemail) {
    const endReason =
      end.voicemail === 'message_left'
        ? 'A message was left on the voicemail.'
        : 'A voicemail answered and no message could be left.';
    return { endedBy: hungUpBy, endReason };
  }
  const { closedFor, finish, transferredTo } = end;
  if (closedFor === 'failed') return describeFailure(end);
  if (transferredTo !== null) return describeTransfer(closedFor);
  if (closedFor === 'end_ordered') return { endedBy: 'staff', endReason: `${whoEnded(end)} ended the call.` };
  if (closedFor) return CLOSED[closedFor];
  // Ordered while it rang, in the moment of the answer.
  if (hungUpBy === 'agent' && end.endOrder && !finish)
    return { endedBy: 'staff', endReason: `${whoEnded(end)} ended the call.` };
  if (hungUpBy === 'agent') {
    const reason = finish?.kind === 'hang_up' ? finish.reason.trim().replace(/[.!\s]+$/, '') : '';
    return {
      endedBy: 'agent',
      endReason: reason === '' ? 'The agent ended the call.' : `The agent ended the call: ${reason}.`,
    };
  }
  if (hungUpBy === 'carrier') return { endedBy: 'carrier', endReason: 'The connection was lost.' };
  return {
    endedBy: 'human',
    endReason: HUNG_UP[person],
  };
}

function whoEnded({ endOrder }: Pick<CallEnd, 'endOrder'>): string {
  return endOrder?.by ?? 'A member of staff';
}

const NEVER_CONNECTED: Record<string, string> = {
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  network_failure: 'The call could not be connected.',
  rejected: 'The call was rejected.',
  shutdown: 'The service stopped before the call was answered.',
  cancelled: 'The call was cancelled before it was answered.',
};

/** The outcome of a call that rang, or could not, and that nobody answered. */
export function describeUnanswered(
  end: Pick<CallEnd, 'neverConnected' | 'hangup' | 'endOrder'>,
  isShutdown: boolean,
): Omit<ConversationResult, 'recording'> {
  // Carriers tell of a call that was hung up while it rang as of one that nobody answered.
  if (end.endOrder)
    return {
      ...neverConnected('ended_by_staff', `${whoEnded(end)} ended the call before it was answered.`),
      endedBy: 'staff',
    };
  const unsaid = end.hangup ? (isShutdown ? 'shutdown' : 'cancelled') : 'network_failure';
  const reason = end.neverConnected ?? unsaid;
  return neverConnected(reason, NEVER_CONNECTED[reason] ?? 'The call could not be connected.');
}

function describeTransfer(closedFor: CallEnd['closedFor']): Ending {
  return closedFor === 'transfer_ordered'
    ? { endedBy: 'staff', endReason: 'A member of staff transferred the call.' }
    : { endedBy: 'agent', endReason: 'The call was transferred.' };
}

/** Whoever hung up in the end: it was because the agent could not go on. */
function describeFailure({ failure = 'brain', transferredTo }: CallEnd): Ending {
  const handedOver = transferredTo === null ? '' : ' and transferred the call';
  return {
    endedBy: 'agent',
    endReason: `The agent could not go on${handedOver}: ${CALL_FAILURES[failure]}.`,
  };
}

/** The outcome of a call on which nobody ever answered. */
export function neverConnected(reason: string, endReason: string): Omit<ConversationResult, 'recording'> {
  return {
    connected: false,
    neverConnectedReason: reason,
    answeredBy: null,
    durationMs: 0,
    voicemail: null,
    transferredTo: null,
    appointment: null,
    callback: null,
    endedBy: null,
    endReason,
    usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
  };
}
