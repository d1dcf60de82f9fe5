/** What a receiver of RTP reports to its sender (RFC 3550, appendix A). */
export type ReceiverReport = {
  ssrc: number;
  fractionLost: number;
  totalLost: number;
  highestSequence: number;
  jitter: number;
};

/** Sequence numbers that jump by more are of another sender, or of one that began anew. */
const MOST_DROPPED = 3_000;
const RATE_PER_MS = 8;

export function createRtpStatistics() {
  let source: { ssrc: number; base: number; highest: number; received: number } | undefined;
  let jitter = 0;
  let lastTransit: number | undefined;
  let expectedBefore = 0;
  let receivedBefore = 0;
  let everReceived = 0;

  function begin(ssrc: number, sequence: number): void {
    source = { ssrc, base: sequence, highest: sequence, received: 0 };
    lastTransit = undefined;
    expectedBefore = 0;
    receivedBefore = 0;
  }

  const expected = () => (source ? source.highest - source.base + 1 : 0);

  return {
    received(packet: { ssrc: number; sequence: number; timestamp: number }, nowMs: number): void {
      const { ssrc, sequence, timestamp } = packet;
      everReceived += 1;
      const step = source ? ((sequence - source.highest) << 16) >> 16 : 0;
      if (!source || source.ssrc !== ssrc || Math.abs(step) > MOST_DROPPED) begin(ssrc, sequence);
      else if (step > 0) source.highest += step;
      if (source) source.received += 1;
      const transit = (nowMs * RATE_PER_MS - timestamp) | 0;
      if (lastTransit !== undefined) jitter += (Math.abs((transit - lastTransit) | 0) - jitter) / 16;
      lastTransit = transit;
    },
    everReceived: () => everReceived,
    /** Since the report before; undefined while there is no sender. */
    report(): ReceiverReport | undefined {
      if (!source) return undefined;
      const expectedNow = expected() - expectedBefore;
      const lostNow = expectedNow - (source.received - receivedBefore);
      expectedBefore = expected();
      receivedBefore = source.received;
      return {
        ssrc: source.ssrc,
        fractionLost:
          expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
        totalLost: Math.max(0, Math.min(0x7fffff, expected() - source.received)),
        highestSequence: source.highest >>> 0,
        jitter: Math.floor(jitter),
      };
    },
    /** For the log at the end of the call. */
    summary: () => ({
      packetsReceived: everReceived,
      packetsLost: source ? Math.max(0, expected() - source.received) : 0,
      jitterMs: Math.round(jitter / RATE_PER_MS),
    }),
  };
}
