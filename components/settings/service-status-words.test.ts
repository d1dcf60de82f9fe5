import { expect, it } from 'vitest';
import type { ServiceStatus } from '#lib/features/status/contract.ts';
import { concernsOf, durationOf, modelRowsOf, releaseOf, sizeOf } from './service-status-words.ts';

const GB = 1024 ** 3;

const FINE: ServiceStatus = {
  at: 0,
  version: '3.2.1',
  commit: null,
  role: 'all',
  uptimeSeconds: 60,
  parts: [{ name: 'database', problem: null, durationMs: 1 }],
  database: { kind: 'embedded', sizeBytes: 1, connections: null },
  storage: { kind: 'file' },
  disk: { freeBytes: 50 * GB, totalBytes: 100 * GB },
  memoryBytes: 1,
  conversations: { running: 0, processes: { wanted: 2, ready: 0 } },
  carriers: [{ kind: 'simulated', isSetUp: true, numbers: 1, calls: 0, failed: 0 }],
  models: {
    language: null,
    fallback: null,
    realtime: null,
    transcription: null,
    transcriptionFallback: null,
    speech: null,
    embedding: 'local',
    problem: null,
  },
  calls: { waiting: 0, running: 0, oldestSeconds: 0, lines: { inUse: 9, limit: 10, fullNumbers: [] } },
  documents: { open: 0 },
  webhooks: { open: 0, oldestSeconds: 0, sent: 0, failed: 0 },
};

const REFUSED = { part: 'language', kind: 'bad_key', model: 'gpt-x', callId: 'cnv_1', at: 0 } as const;

it('has no concern where everything works, also before the first call has started processes', () => {
  expect(concernsOf(FINE)).toEqual([]);
});

it('says each thing that needs a look, in a sentence', () => {
  const concerns = concernsOf({
    ...FINE,
    parts: [{ name: 'storage', problem: 'It did not answer.', durationMs: 9 }],
    disk: { freeBytes: 3 * GB, totalBytes: 100 * GB },
    conversations: { running: 1, processes: { wanted: 4, ready: 3 } },
    carriers: [{ kind: 'sip', isSetUp: false, numbers: 1, calls: 0, failed: 0 }],
    calls: {
      waiting: 9,
      running: 10,
      oldestSeconds: 3_725,
      lines: { inUse: 10, limit: 10, fullNumbers: [{ number: '+15550100001', limit: 1 }] },
    },
    webhooks: { open: 4, oldestSeconds: 90, sent: 10, failed: 5 },
    models: { ...FINE.models, problem: REFUSED },
  });
  expect(concerns).toEqual([
    'The storage does not answer.',
    'Only 3 GB of the disk are free.',
    'A call that is due has waited for 1 h 2 min.',
    'All 10 lines of the workspace are in use: more are allowed by "Calls at once" in Settings, Workspace.',
    'The only line of +15550100001 is in use: more are allowed by "Calls at once" in Settings, Numbers.',
    'A webhook has waited for 1 min 30 s.',
    '5 of 10 webhooks of the last hour were not taken.',
    '1 number of the carrier sip, which is not set up here.',
    'The model gpt-x refuses to work.',
    'Only 3 of 4 processes of conversations run.',
  ]);
});

it('shows each model, fallbacks too, and the one that refused to work in its own place', () => {
  const models = {
    ...FINE.models,
    language: 'gpt-x',
    fallback: 'gpt-y',
    transcription: 'whisper-x',
    transcriptionFallback: 'whisper-y',
  };
  const rows = (problem: ServiceStatus['models']['problem']) =>
    modelRowsOf({ ...models, problem }).map(({ term, value, refusedOn }) => [term, value, refusedOn]);
  expect(rows(null)).toEqual([
    ['Language', 'gpt-x', undefined],
    ['Language fallback', 'gpt-y', undefined],
    ['Transcription', 'whisper-x', undefined],
    ['Transcription fallback', 'whisper-y', undefined],
    ['Voices', 'local', undefined],
    ['Search', 'local', undefined],
  ]);
  const refusedBy = (problem: ServiceStatus['models']['problem']) =>
    rows(problem).filter(([, , refusedOn]) => refusedOn !== undefined);
  expect(refusedBy(REFUSED)).toEqual([['Language', 'gpt-x needs somebody to act', 'cnv_1']]);
  expect(refusedBy({ ...REFUSED, part: 'transcription', model: 'whisper-y' })).toEqual([
    ['Transcription fallback', 'whisper-y needs somebody to act', 'cnv_1'],
  ]);
  expect(refusedBy({ ...REFUSED, part: 'transcription', model: 'gone' })).toEqual([
    ['Transcription', 'gone needs somebody to act', 'cnv_1'],
  ]);
});

it('writes sizes and times for people', () => {
  expect([0, 900, 1536, 5 * 1024 ** 2, 1.25 * GB].map(sizeOf)).toEqual([
    '0 B',
    '900 B',
    '2 kB',
    '5 MB',
    '1.3 GB',
  ]);
  expect([0.2, 59, 60, 3_600, 90_061].map(durationOf)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 d 1 h']);
});

it('names the release with the beginning of its commit, where that is known', () => {
  expect(releaseOf({ version: '3.2.1', commit: null })).toBe('3.2.1');
  expect(releaseOf({ version: '3.2.1', commit: '0123456789abcdef0123456789abcdef01234567' })).toBe(
    '3.2.1 (0123456789ab)',
  );
});
