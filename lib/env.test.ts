import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseEnv, usualProcesses } from './env.ts';

it('reads calls per second by carrier, and has no limit without them', () => {
  expect(parseEnv({}).callsPerSecond).toEqual({});
  expect(parseEnv({ CALLS_PER_SECOND: 'twilio:1, sip:0.5' }).callsPerSecond).toEqual({ twilio: 1, sip: 0.5 });
});

it.each(['twilio', 'twilio:0', 'twilio:-1', 'twilio:many', 'twillio:1', 'sip:5000'])(
  'refuses %s as calls per second, and names the variable',
  (value) =>
    expect(() => parseEnv({ CALLS_PER_SECOND: value })).toThrow(/CALLS_PER_SECOND: '.*' is not a carrier/),
);

it('names DATA_DIR where that is a file, or lies in one', () => {
  const file = fileURLToPath(import.meta.url);
  for (const dataDir of [file, `${file}/data/deep`])
    expect(() => parseEnv({ DATA_DIR: dataDir })).toThrow(/DATA_DIR: is not a folder/);
  expect(parseEnv({ DATA_DIR: `${import.meta.dirname}/none/yet` }).dataDir).toMatch(/none\/yet$/);
});

it('runs conversations in one process for each core but one, and in as many as it is told', () => {
  expect([1, 2, 4, 32].map(usualProcesses)).toEqual([1, 1, 3, 8]);
  expect(parseEnv({ CONVERSATION_PROCESSES: '0' }).conversationProcesses).toBe(0);
  expect(() => parseEnv({ CONVERSATION_PROCESSES: '-1' })).toThrow(/CONVERSATION_PROCESSES/);
});

it.each([
  [{}, { model: 'gpt-live-transcribe', ways: ['realtime', 'batch'] }],
  [{ TRANSCRIPTION_MODEL: 'gpt-transcribe' }, { model: 'gpt-transcribe', ways: ['realtime', 'batch'] }],
  [
    { TRANSCRIPTION_MODE: 'batch', TRANSCRIPTION_MODEL: 'gpt-transcribe' },
    { model: 'gpt-transcribe', ways: ['batch'] },
  ],
  [{ OPENAI_BASE_URL: 'http://models.test/v1' }, { model: 'whisper-1', ways: ['batch'] }],
  [
    { OPENAI_BASE_URL: 'http://models.test/v1', TRANSCRIPTION_MODEL: 'gpt-live-transcribe' },
    { model: 'gpt-live-transcribe', ways: ['realtime', 'batch'] },
  ],
  [
    { OPENAI_BASE_URL: 'http://models.test/v1', TRANSCRIPTION_MODE: 'realtime' },
    { model: 'whisper-1', ways: ['realtime'] },
  ],
  [{ TRANSCRIPTION_MODEL: 'none' }, undefined],
])('reaches the transcription of %j as its server can be reached', (given, transcription) => {
  expect(parseEnv({ OPENAI_API_KEY: 'sk-test', ...given }).openai?.transcription).toEqual(transcription);
});

it('turns Twilio on with the account and its token, and says what is missing', () => {
  expect(parseEnv({}).twilio).toBeUndefined();
  const account = { TWILIO_ACCOUNT_SID: 'AC123', TWILIO_AUTH_TOKEN: 'secret' };
  expect(parseEnv(account).twilio).toEqual({
    accountSid: 'AC123',
    authToken: 'secret',
    apiBase: 'https://api.twilio.com',
    detectsMachines: true,
  });
  expect(
    parseEnv({ ...account, TWILIO_API_BASE: 'http://localhost:9/', TWILIO_MACHINE_DETECTION: 'false' })
      .twilio,
  ).toMatchObject({ apiBase: 'http://localhost:9', detectsMachines: false });
  expect(() => parseEnv({ TWILIO_ACCOUNT_SID: 'AC123' })).toThrow(
    /TWILIO_ACCOUNT_SID: and TWILIO_AUTH_TOKEN/,
  );
  expect(() => parseEnv({ TWILIO_API_BASE: 'http://localhost:9' })).toThrow(/TWILIO_API_BASE/);
  expect(() => parseEnv({ ...account, TWILIO_ACCOUNT_SID: 'SK1' })).toThrow(/begins with AC/);
});

it('takes a model that hears and speaks only with a server that has it, and with words for the transcript', () => {
  expect(() => parseEnv({ REALTIME_MODEL: 'gpt-realtime' })).toThrow(/REALTIME_MODEL: needs OPENAI_API_KEY/);
  const given = { REALTIME_MODEL: 'gpt-realtime', OPENAI_API_KEY: 'sk-test' };
  expect(parseEnv(given).openai?.realtimeModel).toBe('gpt-realtime');
  expect(() => parseEnv({ ...given, TRANSCRIPTION_MODEL: 'none' })).toThrow(/TRANSCRIPTION_MODEL: 'none'/);
});

it.each([
  [{ STORAGE_URL: 'file:/srv/calls' }, { kind: 'file', folder: '/srv/calls' }],
  [
    { STORAGE_URL: 's3://calls' },
    { kind: 's3', bucket: 'calls', prefix: '', endpoint: undefined, region: undefined },
  ],
  [
    {
      STORAGE_URL: 's3://calls/of/ours/',
      S3_ENDPOINT: 'http://minio.test:9000/',
      AWS_REGION: 'eu-central-1',
    },
    {
      kind: 's3',
      bucket: 'calls',
      prefix: 'of/ours',
      endpoint: 'http://minio.test:9000',
      region: 'eu-central-1',
    },
  ],
])('keeps documents and recordings where %j says', (given, storage) => {
  expect(parseEnv(given).storage).toEqual(storage);
});

it.each(['s3://', 's3://UPPER', 's3://bucket/../other', 'gs://bucket', '/a/folder', 'file:'])(
  'refuses %s as a storage address',
  (value) => expect(() => parseEnv({ STORAGE_URL: value })).toThrow(/STORAGE_URL: must be file:.* or s3:/),
);
