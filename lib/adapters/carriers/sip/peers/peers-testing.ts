import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import type { MediaLeg } from '#lib/ports/carrier.ts';
import { openSipCarrier, type SipCarrier, type SipCarrierOptions } from '../carrier.ts';
import type { TlsFiles } from '../flow.ts';
import { hostOf } from '../grammar.ts';
import { createRtpThread } from '../rtp-threads.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';

/** A real carrier on this machine; calls that come in are answered, and `onLeg` has them. */
export async function openRealLine(
  options: Partial<SipCarrierOptions> & {
    onLeg?: (leg: MediaLeg) => void;
    rtpFrom: number;
    onlyRings?: boolean;
  },
): Promise<{ carrier: SipCarrier; port: number }> {
  const clock = monotonicClock;
  const { onLeg, rtpFrom, onlyRings, ...rest } = options;
  const log = pino({ level: 'silent' });
  const rtp = createRtpThread({ ports: { first: rtpFrom, last: rtpFrom + 199 }, clock, log });
  const carrier = await openSipCarrier({
    listen: [
      { protocol: 'udp', address: HOST, port: 0 },
      { protocol: 'tcp', address: HOST, port: 0 },
    ],
    mediaIp: undefined,
    openRtp: rtp.open,
    trunk: undefined,
    credentials: { username: 'alice', password: 'open sesame' },
    registers: false,
    isAllowed: (address) => address === HOST || address === '::1',
    clock,
    log,
    makeToken: () => randomBytes(12).toString('hex'),
    random32: () => randomBytes(4).readUInt32BE(),
    async take({ reference }) {
      void carrier.pickUp(reference).then(answer, () => undefined);
      return { ok: true, callId: reference };
    },
    ...rest,
  });

  async function answer(leg: MediaLeg): Promise<void> {
    onLeg?.(leg);
    if (!onlyRings) await leg.answer();
  }
  const port = carrier.listening[0]?.port ?? 0;
  return { carrier, port };
}

export async function drain(leg: MediaLeg) {
  const events = [];
  for await (const event of leg.events) events.push(event);
  return events;
}

export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** Runs SIPp to its end; rejects with what it complained about when one of its calls was not as its scenario has it. */
export async function runSipp(options: {
  scenario: string;
  args: string[];
  port: number;
  mediaPort: number;
  signal?: AbortSignal;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-sipp-'));
  const file = join(folder, 'scenario.xml');
  const errors = join(folder, 'errors.log');
  const named = options.scenario.startsWith('<') ? ['-sf', file] : ['-sn', options.scenario];
  if (named[0] === '-sf') await writeFile(file, options.scenario);
  const own = ['-i', HOST, '-p', String(options.port), '-mi', HOST, '-mp', String(options.mediaPort)];
  const quiet = ['-nostdin', '-trace_err', '-error_file', errors, '-timeout', '25', '-timeout_error'];
  const args = [...named, ...own, ...quiet, ...options.args];
  try {
    await run('sipp', args, { cwd: folder, ...(options.signal && { signal: options.signal }) });
  } catch (error) {
    const complaint = await readFile(errors, 'utf8').catch(() => String(error));
    throw new Error(`sipp ${args.join(' ')}:\n${complaint.slice(0, 4_000)}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Somebody with a softphone: baresip without a window, which speaks a WAV file and keeps what it hears. */
export type Softphone = {
  folder: string;
  port: number;
  command(text: string): void;
  /** What it wrote, for messages of failed tests. */
  output(): string;
  /** Of what it has kept so far. */
  heardSeconds(): Promise<number>;
  /** Ends it, and gives what it heard as 16-bit samples at 8 kHz. */
  close(): Promise<Int16Array>;
};

export async function openSoftphone(options: {
  says: Int16Array;
  rtpFrom: number;
  account?: string;
  modules?: string[];
  /** Its own, without which it takes no call. */
  number?: string;
  /** 127.0.0.1, where it is left out. */
  host?: string;
  /** What it shows who calls it over TLS: one port higher than the other one. */
  tls?: TlsFiles;
}): Promise<Softphone> {
  const { host = HOST, number = '+15550199999' } = options;
  const folder = await mkdtemp(join(tmpdir(), 'callwright-phone-'));
  const port = await freeUdpPort();
  const place = `${hostOf(host)}:${port}`;
  if (options.tls)
    await writeFile(join(folder, 'cert.pem'), `${options.tls.certificate}\n${options.tls.key}`);
  await writeFile(join(folder, 'says.wav'), wav(options.says));
  await writeFile(join(folder, 'contacts'), '');
  await writeFile(
    join(folder, 'accounts'),
    `<sip:${number}@${place}>;regint=0;audio_codecs=PCMU${options.account ?? ''}\n`,
  );
  const modules = [
    'stdio',
    'g711',
    'aufile',
    'aubridge',
    'sndfile',
    'account',
    'menu',
    ...(options.modules ?? []),
  ];
  await writeFile(
    join(folder, 'config'),
    [
      'poll_method epoll',
      `sip_listen ${place}`,
      ...(options.tls ? [`sip_certificate ${join(folder, 'cert.pem')}`] : []),
      `audio_source aufile,${join(folder, 'says.wav')}`,
      'audio_player aubridge,nowhere',
      'audio_alert aubridge,alert',
      'ausrc_srate 8000',
      'auplay_srate 8000',
      `rtp_ports ${options.rtpFrom}-${options.rtpFrom + 40}`,
      `snd_path ${folder}`,
      'module_path /usr/lib/baresip/modules',
      ...modules.map((name) => `module ${name}.so`),
      '',
    ].join('\n'),
  );
  const child: ChildProcess = spawn('baresip', [...(host.includes(':') ? ['-6'] : []), '-f', folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      output += part.toString();
      if (output.includes('baresip is ready')) ready.resolve();
    });
  child.once('exit', () => ready.reject(new Error(`baresip did not start:\n${output}`)));
  await ready.promise;

  async function heard(): Promise<Buffer> {
    const name = (await readdir(folder)).find((file) => file.endsWith('-dec.wav'));
    return name === undefined ? Buffer.alloc(44) : readFile(join(folder, name));
  }

  return {
    folder,
    port,
    command: (text) => void child.stdin?.write(`${text}\n`),
    output: () => output,
    heardSeconds: async () => (await heard()).length / 16_000,
    async close() {
      child.kill('SIGTERM');
      await exited;
      const bytes = await heard();
      await rm(folder, { recursive: true, force: true });
      const samples = bytes.subarray(44);
      return Int16Array.from({ length: samples.length >> 1 }, (_, at) => samples.readInt16LE(at * 2));
    },
  };
}

/** A certificate for this machine that nobody but itself has signed. */
export async function makeCertificate(): Promise<TlsFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-tls-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  try {
    await run('openssl', ['req', ...made, ...names]);
    const text = await readFile(certificate, 'utf8');
    return { certificate: text, key: await readFile(key, 'utf8'), authority: text };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A WAV file at 8 kHz. */
function wav(samples: Int16Array): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}
