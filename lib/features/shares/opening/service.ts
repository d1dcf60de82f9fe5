import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { listTurns } from '#lib/features/calls/execution/repository.ts';
import { signRecordingPath } from '#lib/features/recordings/rules.ts';
import { shareIdOf } from '../rules.ts';
import { findShared, noteOpened } from './repository.ts';

export type OpenShareService = ReturnType<typeof createOpenShareService>;

/** One conversation as a link shows it: no id, no number, nothing of the workspace. */
export type SharedConversation = {
  channel: 'call' | 'chat';
  dateInitiated: string;
  durationSeconds: number;
  summary: string | null;
  turns: { seq: number; speaker: 'agent' | 'human'; text: string; startedMs: number }[];
  /** Signed, relative to the origin, good for an hour and no longer than the link. */
  recordingUrl: string | null;
  expiresAt: string;
};

/** What people without an account see of a conversation. */
export function createOpenShareService(deps: Pick<Dependencies, 'db' | 'clock' | 'signingSecret'>) {
  const { db, clock, signingSecret } = deps;
  return {
    /** What the link shows, and that somebody looked; undefined where it shows nothing any more, or never did. */
    async open(token: string): Promise<SharedConversation | undefined> {
      const shareId = shareIdOf(token, signingSecret);
      const now = clock.now();
      const found = shareId === undefined ? undefined : await findShared(db, shareId, now);
      if (shareId === undefined || !found) return undefined;
      const turns = await listTurns(db, mintWorkspaceId(found.workspaceId), found.callId);
      await noteOpened(db, shareId, now);
      return {
        channel: found.channel,
        dateInitiated: found.dateInitiated.toISOString(),
        durationSeconds: found.durationSeconds,
        summary: found.summary,
        turns: turns.map(({ seq, speaker, text, startedMs }) => ({ seq, speaker, text, startedMs })),
        recordingUrl: found.hasRecording ? signRecordingPath(shareId, now, signingSecret) : null,
        expiresAt: found.expiresAt.toISOString(),
      };
    },
  };
}
