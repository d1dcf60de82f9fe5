import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { BODY_BYTES_HEADER } from '#lib/http/content-length.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import { findRecordingKey, findSignedRecording, insertRecordingFetched } from './repository.ts';
import { isLinkValid, parseRange, type RecordingLink, signRecordingPath, waveformKeyOf } from './rules.ts';
import { computePeaks, type Waveform } from './waveform/peaks.ts';

export type RecordingService = ReturnType<typeof createRecordingService>;

const storedWaveform = z.object({
  durationMs: z.number(),
  bucketMs: z.number(),
  agent: z.array(z.number()),
  human: z.array(z.number()),
});

export function createRecordingService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'storage' | 'env' | 'signingSecret'>,
) {
  const { db, clock, storage } = deps;

  return {
    /** A link relative to the origin, for the player of one person; good for an hour from now. */
    signedPath: (actor: Actor, callId: string) =>
      signRecordingPath(
        callId,
        clock.now(),
        deps.signingSecret,
        actor.kind === 'user' ? actor.id : undefined,
      ),

    /** The same link with the public address, for the API and the webhook (contract, Conversation, recordingUrl). */
    signedUrl: (callId: string) =>
      `${deps.env.publicUrl}${signRecordingPath(callId, clock.now(), deps.signingSecret)}`,

    /**
     * Serves one recording to whoever holds a signed link: 200, 206 for a range, 416 outside the file; HEAD has no body.
     * Throws 403 for a link that is wrong or expired and 404 where the recording is gone.
     */
    async serve(link: RecordingLink, request: Request): Promise<Response> {
      if (!isLinkValid(link, clock.now(), deps.signingSecret)) {
        throw new AppError('FORBIDDEN', 'The link is not valid or has expired');
      }
      const key = await findSignedRecording(db, { id: link.callId, now: clock.now() });
      const stored = key === undefined ? undefined : await storage.stat(key);
      if (key === undefined || !stored) throw notFound('Recording');
      const range = parseRange(request.headers.get('range'), stored.sizeBytes);
      const headers = new Headers({
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=3600',
        'content-disposition': `inline; filename="${link.callId.replace(/[^\w-]/g, '_')}.wav"`,
      });
      if (range.kind === 'unsatisfiable') {
        headers.set('content-range', `bytes */${stored.sizeBytes}`);
        return new Response(null, { status: 416, headers });
      }
      const bounds = range.kind === 'part' ? { start: range.start, end: range.end } : undefined;
      const bodyBytes = String(bounds ? bounds.end - bounds.start + 1 : stored.sizeBytes);
      headers.set('content-length', bodyBytes);
      headers.set(BODY_BYTES_HEADER, bodyBytes);
      if (bounds) headers.set('content-range', `bytes ${bounds.start}-${bounds.end}/${stored.sizeBytes}`);
      const status = bounds ? 206 : 200;
      if (request.method === 'HEAD') return new Response(null, { status, headers });
      // A player asks for many ranges: one row an hour for each person and recording.
      if (link.viewer !== undefined) await insertRecordingFetched(db, link.callId, link.viewer, clock.now());
      const opened = await storage.open(key, bounds);
      if (!opened) throw notFound('Recording');
      return new Response(opened.body, { status, headers });
    },

    /** Loudness of both speakers over a call's recording, computed at the first look and kept beside it. */
    async waveform(actor: Actor, callId: string): Promise<Waveform> {
      const key = await findRecordingKey(db, actor.workspaceId, callId);
      if (key === null) throw notFound('Recording');
      return readWaveform(storage, key);
    },
  };
}

async function readWaveform(storage: ObjectStorage, recordingKey: string): Promise<Waveform> {
  const cached = await storage.open(waveformKeyOf(recordingKey));
  if (cached) return storedWaveform.parse(await new Response(cached.body).json());
  const recording = await storage.open(recordingKey);
  if (!recording) throw notFound('Recording');
  const waveform = await computePeaks(recording.body, recording.sizeBytes);
  await storage.put(waveformKeyOf(recordingKey), Buffer.from(JSON.stringify(waveform)));
  return waveform;
}
