import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from '#db/client.ts';
import { callEvents, calls, toolUses, turns } from '#db/tables.ts';
import { recordingKeyOf, waveformKeyOf } from '#lib/features/recordings/rules.ts';

// A finished call of three hours as it lies in the database and the storage: 2,500 turns with the times of their words.
const HOURS = 3;
export const TURN_COUNT = 2_500;
const DURATION_MS = HOURS * 3_600_000;
const TURN_MS = DURATION_MS / TURN_COUNT;
const WORD_MS = 260;
const SAMPLE_RATE = 16_000;
const BYTES_PER_SECOND = SAMPLE_RATE * 4;
const HEADER_BYTES = 44;
const BUCKETS = 1_500;

const WORDS =
  'yes that works for me on Monday morning but my daughter has school until noon so could we look at the afternoon instead and please send the confirmation to my work address because the other one is hardly ever read'.split(
    ' ',
  );

/** Between 3 and 27 words, the same on every run. */
export function textOf(seq: number): string {
  const count = 3 + ((seq * 7) % 25);
  const words = Array.from(
    { length: count },
    (_, index) => WORDS[(seq * 5 + index * 3) % WORDS.length] ?? '',
  );
  return `${words.join(' ')}.`;
}

function turnOf(seq: number) {
  const said = textOf(seq);
  const isAgent = seq % 2 === 1;
  const isInterrupted = seq % 40 === 21;
  const count = said.split(' ').length;
  const wordMs = Math.min(WORD_MS, Math.floor((TURN_MS - 200) / count));
  return {
    seq,
    speaker: isAgent ? ('agent' as const) : ('human' as const),
    text: said,
    intendedText: isInterrupted ? `${said} And one more thing that nobody heard.` : null,
    startedMs: Math.round((seq - 1) * TURN_MS),
    endedMs: Math.round((seq - 1) * TURN_MS) + count * wordMs,
    interrupted: isInterrupted,
    wordStartsMs: Array.from({ length: count }, (_, index) => index * wordMs),
    timings: isAgent
      ? { transcriptionMs: 180, endOfTurnMs: 420, firstTokenMs: 510, firstAudioMs: 690, totalMs: 1_110 }
      : null,
  };
}

const toolUseOf = (seq: number) => ({
  seq,
  name: 'search_knowledge',
  arguments: { query: textOf(seq) },
  result: { passages: [textOf(seq), textOf(seq + 1)] },
  startedMs: Math.round(seq * 20 * TURN_MS),
  endedMs: Math.round(seq * 20 * TURN_MS) + 90,
});

/** Writes the call into the embedded database and the storage of a service that does not run. */
export async function writeLongCall(place: { dataDir: string; workspaceId: string; agentId: string }) {
  const callId = 'cnv_threehours';
  const { workspaceId, agentId, dataDir } = place;
  const database = await openDatabase({ dataDir: join(dataDir, 'db') });
  const { db } = database;
  const startedAt = new Date('2026-03-02T09:00:00Z');
  const owner = { callId, workspaceId };
  const made = Array.from({ length: TURN_COUNT }, (_, index) => turnOf(index + 1));
  await db.insert(calls).values({
    id: callId,
    workspaceId,
    agentId,
    direction: 'INBOUND',
    carrier: 'simulated',
    agentPhoneNumber: '+15550100001',
    humanPhoneNumber: '+15550109901',
    variables: {},
    status: 'ended',
    statusRank: 5,
    usageMonth: '2026-03',
    dateInitiated: startedAt,
    answeredAt: startedAt,
    endedAt: new Date(startedAt.getTime() + DURATION_MS),
    durationSeconds: DURATION_MS / 1_000,
    disposition: 'COMPLETED',
    endReason: 'The person hung up.',
    summary: 'A long call.',
    transcript: made.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'),
    recordingKey: recordingKeyOf(workspaceId, callId),
    createdAt: startedAt,
    updatedAt: startedAt,
    recordingSizeBytes: HEADER_BYTES + (DURATION_MS / 1_000) * BYTES_PER_SECOND,
  });
  for (let from = 0; from < made.length; from += 250) {
    const part = made.slice(from, from + 250);
    await db.insert(turns).values(part.map((turn) => ({ id: `turn_${turn.seq}`, ...owner, ...turn })));
    await db.insert(callEvents).values(
      part.map(({ seq, endedMs }) => ({
        ...owner,
        type: 'turn',
        data: { seq },
        at: new Date(startedAt.getTime() + endedMs),
      })),
    );
  }
  const uses = Array.from({ length: TURN_COUNT / 20 - 1 }, (_, index) => toolUseOf(index + 1));
  await db.insert(toolUses).values(uses.map((use) => ({ id: `tool_${use.seq}`, ...owner, ...use })));
  await database.close();
  await writeRecording(join(dataDir, 'storage', recordingKeyOf(workspaceId, callId)));
  return { callId, texts: made.map(({ text }) => text) };
}

/** Silence with holes instead of bytes, and a waveform beside it. */
async function writeRecording(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const dataBytes = (DURATION_MS / 1_000) * BYTES_PER_SECOND;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(BYTES_PER_SECOND, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  const file = await open(path, 'w');
  await file.write(header);
  await file.truncate(HEADER_BYTES + dataBytes);
  await file.close();
  const lane = (offset: number) => Array.from({ length: BUCKETS }, (_, index) => ((index + offset) % 9) / 12);
  const waveform = {
    durationMs: DURATION_MS,
    bucketMs: DURATION_MS / BUCKETS,
    agent: lane(0),
    human: lane(4),
  };
  await writeFile(waveformKeyOf(path), JSON.stringify(waveform));
}
