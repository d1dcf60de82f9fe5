import { isRtp, RtpPacket } from 'rtp.js/packets';
import { decodeG711 } from '#lib/media/g711.ts';
import { createJitterBuffer, USUAL_DELAY_MS } from '#lib/media/jitter-buffer.ts';
import { createMediaOutput, type MediaOutput } from '#lib/media/media-output.ts';
import type { Pacer, PacerClock } from '#lib/media/pacer.ts';
import { createResampler } from '#lib/media/resample.ts';
import { createDigitReceiver } from '#lib/media/telephone-event.ts';
import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import { readSenderReport, writeRtcp } from './rtcp.ts';
import type { RtpSockets } from './rtp-ports.ts';
import { createRtpSender } from './rtp-sender.ts';
import { createRtpStatistics } from './rtp-statistics.ts';
import type { RemoteAudio } from './sdp.ts';
import type { SrtpContext } from './srtp.ts';
import type { Address } from './flow.ts';

/** More than 120 ms in one packet nobody sends. */
const MOST_PAYLOAD_BYTES = 960;
/** So long without a packet from where they came, and packets from elsewhere are taken: a NAT gave another port. */
const FORSAKEN_MS = 1_000;
const RTCP_INTERVAL_MS = 5_000;
/** So long before a frame is given its first sample came in; packets come at any moment between two frames. */
const HELD_BACK_MS = USUAL_DELAY_MS + 1.5 * FRAME_MS;
/** Without RTP and RTCP for so long, the far end is gone. */
export const SILENT_MS = 20_000;

export type RtpSession = {
  port: number;
  media: MediaStream;
  /** What was agreed on, at first and each time that it changes. */
  agree(
    remote: RemoteAudio,
    options: { maySend: boolean; mayHear: boolean; srtp: SrtpPair | undefined },
  ): void;
  /** From now on sound goes both ways; `startedAtMs` is the process's time at the call's zero. */
  start(startedAtMs: number): void;
  pressKeys(digits: string): Promise<boolean>;
  /** What went over the wire, for the log. */
  summary(): { packetsSent: number; packetsReceived: number; packetsLost: number; jitterMs: number };
  close(): void;
};

export type SrtpPair = { outgoing: SrtpContext; incoming: SrtpContext };

/** The sound of one call over RTP (RFC 3550), both ways, between two telephones' worth of G.711 and our frames. */
export function createRtpSession(options: {
  sockets: RtpSockets;
  pacer: Pacer;
  clock: PacerClock;
  random32: () => number;
  cname: string;
  onDigit(digit: string): void;
  /** Nothing has come for `SILENT_MS`. */
  onSilent(): void;
}): RtpSession {
  const { sockets, pacer, clock, random32, cname, onDigit, onSilent } = options;
  const jitterBuffer = createJitterBuffer();
  const statistics = createRtpStatistics();
  const receiveDigit = createDigitReceiver();
  const fromTelephone = createResampler({ fromHz: 8_000, toHz: SAMPLE_RATE_HZ });
  const source = createSource(clock);
  const sender = createRtpSender({ random32, send: (packet) => send(packet) });
  const started = Promise.withResolvers<MediaOutput | undefined>();
  const waiting: Int16Array[] = [];
  let agreed:
    | { remote: RemoteAudio; maySend: boolean; mayHear: boolean; srtp: SrtpPair | undefined }
    | undefined;
  let output: MediaOutput | undefined;
  let listener: ((frame: Int16Array, atMs: number) => void) | undefined;
  let lastSenderReport: { ntp: number; atMs: number } | undefined;
  let lastHeardMs = 0;
  let lastReportMs = 0;
  let stopTicking = () => {};
  let isClosed = false;

  function send(packet: Buffer): void {
    const target = source.target();
    if (isClosed || !target) return;
    const bytes = agreed?.srtp ? agreed.srtp.outgoing.protectRtp(packet) : packet;
    sockets.rtp.send(bytes, target.port, target.address, () => undefined);
  }

  function sendRtcp(nowMs: number, isLast: boolean): void {
    const target = source.rtcpTarget();
    if (isClosed || !target) return;
    const packet = writeRtcp({
      ssrc: sender.ssrc,
      cname,
      nowMs,
      sent: sender.counts(),
      heard: statistics.report(),
      lastSenderReport,
      isLast,
    });
    const bytes = agreed?.srtp ? agreed.srtp.outgoing.protectRtcp(packet) : packet;
    sockets.rtcp.send(bytes, target.port, target.address, () => undefined);
  }

  sockets.rtp.on('message', (given, from) => {
    if (!agreed) return;
    const bytes = agreed.srtp ? agreed.srtp.incoming.unprotectRtp(given) : given;
    if (!bytes || bytes.length < 12) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      if (isRtp(view)) receive(new RtpPacket(view), { address: from.address, port: from.port });
    } catch {
      // A packet that lies about its own length.
    }
  });

  sockets.rtcp.on('message', (given) => {
    const bytes = agreed?.srtp ? agreed.srtp.incoming.unprotectRtcp(given) : given;
    const report = bytes && readSenderReport(bytes);
    if (!report) return;
    lastHeardMs = clock.nowMs();
    lastSenderReport = { ntp: report.ntp, atMs: lastHeardMs };
  });

  function receive(packet: RtpPacket, from: Address): void {
    if (!agreed) return;
    const { remote } = agreed;
    const type = packet.getPayloadType();
    if (type !== remote.payloadType && type !== remote.eventPayloadType) return;
    const view = packet.getPayload();
    const payload = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (payload.length === 0 || payload.length > MOST_PAYLOAD_BYTES || !source.accepts(from)) return;
    lastHeardMs = clock.nowMs();
    const timestamp = packet.getTimestamp();
    statistics.received(
      { ssrc: packet.getSsrc(), sequence: packet.getSequenceNumber(), timestamp },
      lastHeardMs,
    );
    if (type === remote.eventPayloadType) {
      const digit = receiveDigit(timestamp, payload);
      if (digit !== undefined && output) onDigit(digit);
    } else if (output) jitterBuffer.put({ timestamp, samples: decodeG711(remote.coding, payload) });
  }

  function start(startedAtMs: number): void {
    if (isClosed || output) return;
    lastHeardMs = clock.nowMs();
    lastReportMs = lastHeardMs;
    output = createMediaOutput({
      pacer,
      clock,
      send: (frame) => {
        if (agreed) sender.sendFrame(frame, agreed.remote, !agreed.maySend);
      },
    });
    for (const samples of waiting.splice(0)) output.write(samples);
    started.resolve(output);
    stopTicking = pacer.start((dueMs) => {
      const samples = agreed?.mayHear ? jitterBuffer.take() : undefined;
      const frame = samples ? fromTelephone.process(samples) : new Int16Array(FRAME_SAMPLES);
      listener?.(frame, dueMs - HELD_BACK_MS - startedAtMs);
      watch(dueMs);
    }, 'listens');
  }

  function watch(nowMs: number): void {
    if (nowMs - lastReportMs >= RTCP_INTERVAL_MS) {
      lastReportMs = nowMs;
      sendRtcp(nowMs, false);
    }
    if (agreed?.mayHear === false) lastHeardMs = nowMs;
    if (nowMs - lastHeardMs > SILENT_MS) {
      lastHeardMs = Number.POSITIVE_INFINITY;
      onSilent();
    }
  }

  return {
    port: sockets.port,
    media: {
      isTelephone: true,
      onFrame(next) {
        listener = next;
      },
      write(samples) {
        if (output) output.write(samples);
        else if (!isClosed) waiting.push(samples);
      },
      clear() {
        waiting.length = 0;
        return output?.clear() ?? 0;
      },
      mark: () => started.promise.then((opened) => opened?.mark() ?? false),
      playedMs: () => output?.playedMs() ?? 0,
    },
    agree(remote, { maySend, mayHear, srtp }) {
      const before = agreed?.remote;
      agreed = { remote, maySend, mayHear, srtp: srtp ?? agreed?.srtp };
      source.signalled(remote, before);
      if (before && before.coding !== remote.coding) sender.restart();
      lastHeardMs = clock.nowMs();
    },
    start,
    pressKeys: (digits) => (isClosed ? Promise.resolve(false) : sender.pressKeys(digits)),
    summary: () => ({ packetsSent: sender.counts().packetCount, ...statistics.summary() }),
    close() {
      if (isClosed) return;
      if (output) sendRtcp(clock.nowMs(), true);
      isClosed = true;
      stopTicking();
      output?.end();
      started.resolve(undefined);
      sender.end();
      sockets.close();
    },
  };
}

/**
 * Where sound comes from and goes to: what was said in the SDP, until packets come from elsewhere (symmetric RTP, RFC
 * 4961). A second sender is only believed when the first has fallen silent, so that nobody breaks into a call.
 */
function createSource(clock: PacerClock) {
  let told: RemoteAudio | undefined;
  let latched: (Address & { lastMs: number }) | undefined;
  const isNowhere = (address: string) => address === '0.0.0.0' || address === '::';

  return {
    signalled(remote: RemoteAudio, before: RemoteAudio | undefined) {
      told = remote;
      const { address, port } = remote.address;
      if (before && (before.address.address !== address || before.address.port !== port)) latched = undefined;
    },
    accepts(from: Address): boolean {
      const nowMs = clock.nowMs();
      const isSame = latched?.address === from.address && latched.port === from.port;
      if (!isSame && latched && nowMs - latched.lastMs < FORSAKEN_MS) return false;
      latched = { address: from.address, port: from.port, lastMs: nowMs };
      return true;
    },
    target: (): Address | undefined =>
      latched ?? (told && !isNowhere(told.address.address) ? told.address : undefined),
    rtcpTarget(): Address | undefined {
      if (!told || isNowhere(told.address.address)) return undefined;
      if (latched && latched.address !== told.address.address)
        return { address: latched.address, port: latched.port + 1 };
      return { address: told.address.address, port: told.rtcpPort };
    },
  };
}
