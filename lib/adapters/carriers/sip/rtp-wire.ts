import { decodeG711 } from '#lib/media/g711.ts';
import { createJitterBuffer, USUAL_DELAY_MS } from '#lib/media/jitter-buffer.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import type { Pacer, PacerClock } from '#lib/media/pacer.ts';
import { createResampler } from '#lib/media/resample.ts';
import { createDigitReceiver } from '#lib/media/telephone-event.ts';
import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import { readSenderReport, writeRtcp } from './rtcp.ts';
import type { RtpSockets } from './rtp-ports.ts';
import { readRtpHeader } from './rtp-header.ts';
import { createRtpSender } from './rtp-sender.ts';
import { createRtpStatistics } from './rtp-statistics.ts';
import type { Address } from './flow.ts';
import { createRtpSource } from './rtp-source.ts';
import type { RemoteAudio, SrtpSuite } from './sdp.ts';
import { createSrtpContext, type SrtpContext } from './srtp.ts';

/** More than 120 ms in one packet nobody sends. */
const MOST_PAYLOAD_BYTES = 960;
const RTCP_INTERVAL_MS = 5_000;
/** So long before a frame is given its first sample came in; packets come at any moment between two frames. */
const HELD_BACK_MS = USUAL_DELAY_MS + 1.5 * FRAME_MS;
/** Without RTP and RTCP for so long, the far end is gone. */
export const SILENT_MS = 20_000;

/** Of one packet and one frame, whose samples are given on before those of the next: shared by all calls. */
const decoded = new Int16Array(MOST_PAYLOAD_BYTES);
const telephoneFrame = new Int16Array(FRAME_SAMPLES / 2);
const heardFrame = new Int16Array(FRAME_SAMPLES + 1);

/** What both sides said of the sound, at first or when it changes. Plain values: they go from thread to thread. */
export type RtpAgreement = {
  remote: RemoteAudio;
  /** The address that signals for the far end. */
  signalledBy: string;
  maySend: boolean;
  mayHear: boolean;
  /** Where keys are new; undefined: those before go on, or there are none. */
  srtp: { outgoing: SrtpKey; incoming: SrtpKey } | undefined;
};

/** `key`: master key and salt in Base64, as in the SDP. */
export type SrtpKey = { suite: SrtpSuite; key: string };

/** What went over the wire, for the log. */
export type RtpSummary = {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  jitterMs: number;
};

export type RtpEvents = {
  onDigit(digit: string): void;
  /** Nothing has come for `SILENT_MS`. */
  onSilent(): void;
};

/** Packets of one call. What is played when is up to who calls `sendFrame`, every 20 ms. */
export type RtpWire = {
  agree(agreement: RtpAgreement): void;
  sendFrame(frame: Int16Array): void;
  /**
   * From now on every frame that is heard is given, with the time of its first sample by the clock. Its memory is used again
   * for the next one.
   */
  start(onFrame: (frame: Int16Array, atMs: number) => void): void;
  pressKeys(digits: string): Promise<boolean>;
  close(): RtpSummary;
};

/** The sound of one call over RTP (RFC 3550), both ways, between two telephones' worth of G.711 and our frames. */
export function createRtpWire(
  options: RtpEvents & {
    sockets: RtpSockets;
    pacer: Pacer;
    clock: PacerClock;
    random32: () => number;
    cname: string;
  },
): RtpWire {
  const { sockets, pacer, clock, random32, cname, onDigit, onSilent } = options;
  const jitterBuffer = createJitterBuffer();
  const statistics = createRtpStatistics();
  const receiveDigit = createDigitReceiver();
  const fromTelephone = createResampler({ fromHz: 8_000, toHz: SAMPLE_RATE_HZ });
  const source = createRtpSource(clock);
  const sender = createRtpSender({ random32, send });
  let agreed: (Omit<RtpAgreement, 'srtp'> & { srtp: SrtpPair | undefined }) | undefined;
  let isStarted = false;
  let lastSenderReport: { ntp: number; atMs: number } | undefined;
  let lastHeardMs = 0;
  let lastReportMs = 0;
  let stopTicking = () => {};
  let isClosed = false;

  function send(packet: Buffer, onSent: () => void): void {
    const target = source.target();
    if (isClosed || !target) return onSent();
    const bytes = agreed?.srtp ? agreed.srtp.outgoing.protectRtp(packet) : packet;
    sockets.rtp.send(bytes, target.port, target.address, onSent);
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
    if (bytes) receive(bytes, from);
  });

  sockets.rtcp.on('message', (given, from) => {
    if (!source.acceptsRtcp(from)) return;
    const bytes = agreed?.srtp ? agreed.srtp.incoming.unprotectRtcp(given) : given;
    const report = bytes && readSenderReport(bytes);
    if (!report) return;
    lastHeardMs = clock.nowMs();
    lastSenderReport = { ntp: report.ntp, atMs: lastHeardMs };
  });

  function receive(bytes: Buffer, from: Address): void {
    const header = readRtpHeader(bytes);
    if (!agreed || !header) return;
    const { remote } = agreed;
    const { payloadType: type, timestamp, payloadStart, payloadEnd } = header;
    if (type !== remote.payloadType && type !== remote.eventPayloadType) return;
    const payload = bytes.subarray(payloadStart, payloadEnd);
    if (payload.length === 0 || payload.length > MOST_PAYLOAD_BYTES || !source.accepts(from)) return;
    lastHeardMs = clock.nowMs();
    statistics.received(header, lastHeardMs);
    if (type === remote.eventPayloadType) {
      const digit = receiveDigit(timestamp, payload);
      if (digit !== undefined && isStarted) onDigit(digit);
    } else if (isStarted) {
      const samples = decodeG711(remote.coding, payload, decoded.subarray(0, payload.length));
      jitterBuffer.put({ timestamp, samples });
    }
  }

  function start(onFrame: (frame: Int16Array, atMs: number) => void): void {
    if (isClosed || isStarted) return;
    isStarted = true;
    lastHeardMs = clock.nowMs();
    lastReportMs = lastHeardMs;
    stopTicking = pacer.start((dueMs) => {
      const samples = agreed?.mayHear ? jitterBuffer.take(telephoneFrame) : undefined;
      const frame = samples ? fromTelephone.process(samples, heardFrame) : SILENT_FRAME;
      onFrame(frame, dueMs - HELD_BACK_MS);
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
    agree({ srtp, ...agreement }) {
      const { remote, signalledBy } = agreement;
      const before = agreed?.remote;
      agreed = { ...agreement, srtp: srtp ? contextsOf(srtp) : agreed?.srtp };
      source.signalled({ remote, signalledBy, isEncrypted: agreed.srtp !== undefined });
      if (before && before.coding !== remote.coding) sender.restart();
      lastHeardMs = clock.nowMs();
    },
    sendFrame(frame) {
      if (agreed && !isClosed) sender.sendFrame(frame, agreed.remote, !agreed.maySend);
    },
    start,
    pressKeys: (digits) => (isClosed ? Promise.resolve(false) : sender.pressKeys(digits)),
    close() {
      if (!isClosed) {
        if (isStarted) sendRtcp(clock.nowMs(), true);
        isClosed = true;
        stopTicking();
        sender.end();
        sockets.close();
      }
      return { packetsSent: sender.counts().packetCount, ...statistics.summary() };
    },
  };
}

type SrtpPair = { outgoing: SrtpContext; incoming: SrtpContext };

function contextsOf({ outgoing, incoming }: NonNullable<RtpAgreement['srtp']>): SrtpPair {
  const contextOf = ({ suite, key }: SrtpKey) => createSrtpContext(suite, Buffer.from(key, 'base64'));
  return { outgoing: contextOf(outgoing), incoming: contextOf(incoming) };
}
