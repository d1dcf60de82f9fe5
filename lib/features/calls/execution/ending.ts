import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { ConversationResult } from '#lib/engine/plan.ts';
import { recordingKeyOf } from '#lib/features/recordings/rules.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import type { CallRow } from '../repository.ts';
import { LeaseLost, type LiveCall } from './live-call.ts';
import { MAX_CALL_MS } from './plan.ts';
import { saveRecording } from './repository.ts';
import { outcomeFields, type WrapUp } from './wrap-up.ts';

/** Stereo, 16 bit, 16 kHz, for the longest call and a minute more. */
const MAX_RECORDING_BYTES = ((MAX_CALL_MS + 60_000) / 1000) * 16_000 * 4;

type StoredRecording = Parameters<typeof saveRecording>[3];

export type Ending = ReturnType<typeof createEnding>;

/** Stores how a conversation ended, whoever learns of it: the process that ran the call, or the one that took it over. */
export function createEnding(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log' | 'storage'> & { wrapUp: WrapUp },
) {
  const { db, clock, log } = deps;

  async function settle(
    live: LiveCall,
    { call, owner, result }: { call: CallRow; owner: string; result: ConversationResult },
  ): Promise<void> {
    const { recording, ...outcome } = result;
    if (!outcome.connected) {
      const end = { from: live.status(), owner, outcome };
      const isOurs = await deps.wrapUp.endUnanswered(mintWorkspaceId(call.workspaceId), call.id, end);
      if (!isOurs) throw new LeaseLost(call.id);
      return;
    }
    await live.advance({
      trigger: 'hang_up',
      fields: outcomeFields(outcome, clock.now()),
      data: { endReason: outcome.endReason, endedBy: outcome.endedBy },
    });
    passFaultPoint('call.outcome_stored');
    await storeRecording(live, call, recording);
  }

  async function keepRecording(
    call: CallRow,
    recording: NonNullable<ConversationResult['recording']>,
  ): Promise<void> {
    await nameRecording(call, await putRecording(call, recording));
  }

  async function putRecording(
    call: CallRow,
    recording: NonNullable<ConversationResult['recording']>,
  ): Promise<StoredRecording> {
    const recordingKey = recordingKeyOf(call.workspaceId, call.id);
    const { sizeBytes } = await deps.storage.put(recordingKey, recording.body, {
      maxBytes: MAX_RECORDING_BYTES,
    });
    passFaultPoint('call.recording_put');
    return { recordingKey, recordingSizeBytes: sizeBytes };
  }

  async function nameRecording(call: CallRow, stored: StoredRecording): Promise<void> {
    await saveRecording(db, mintWorkspaceId(call.workspaceId), call.id, stored);
    passFaultPoint('call.recording_saved');
  }

  /**
   * A recording that the storage does not take must not keep the call from ending. Rejects when the database fails: whoever
   * ends the call then finds the recording in the storage.
   */
  async function storeRecording(
    live: LiveCall,
    call: CallRow,
    recording: ConversationResult['recording'],
  ): Promise<void> {
    if (!recording) return;
    const stored = await putRecording(call, recording).catch(async (error: unknown) => {
      log.error({ event: 'recording_lost', callId: call.id, error: describeError(error) });
      await live.record('recording.lost', { reason: 'The recording could not be stored.' });
    });
    if (stored) await nameRecording(call, stored);
  }

  /** Where a process stored a recording and died before the call named it. */
  async function nameStoredRecording(call: CallRow): Promise<void> {
    const recordingKey = recordingKeyOf(call.workspaceId, call.id);
    const stored = await deps.storage.stat(recordingKey);
    if (!stored) return;
    await nameRecording(call, { recordingKey, recordingSizeBytes: stored.sizeBytes });
  }

  return {
    /**
     * Stores a result: outcome and recording, after which the call can be wrapped up; a call that nobody answered is ended
     * at once. Throws LeaseLost where it is no longer ours.
     */
    async settle(...ended: Parameters<typeof settle>): Promise<void> {
      await settle(...ended).catch(async (error: unknown) => {
        await discardRecording(ended[1].result);
        throw error;
      });
    },
    storeRecording,
    keepRecording,
    nameStoredRecording,
  };
}

/** Gives back what an unread recording holds open. */
export async function discardRecording(result: ConversationResult): Promise<void> {
  for await (const _ of result.recording?.body ?? []) break;
}
