import { CLEAR_ALL, type CloseReason, go, set, type TurnState, type TurnStep } from './turn-state.ts';
import { TURN_TIMING } from './turn-timing.ts';

export const CLOSING_LIMIT = set('closing_limit', TURN_TIMING.closingLimitMs);

/** The call has to end: the agent says why, in its last words. `failure`: what failed, where that is known here alone. */
export function close(state: TurnState, reason: CloseReason, failure?: 'transcription'): TurnStep {
  const limit = reason === 'shutdown' ? set('closing_limit', TURN_TIMING.shutdownLimitMs) : CLOSING_LIMIT;
  return go(
    { ...state, phase: 'closing', isCut: false, isClosing: false, heard: [], answering: [] },
    ...CLEAR_ALL,
    { type: 'drop_reply' },
    { type: 'close', reason, ...(failure ? { failure } : {}) },
    limit,
  );
}
