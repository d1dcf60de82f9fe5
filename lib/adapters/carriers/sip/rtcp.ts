import {
  ByePacket,
  CompoundPacket,
  isRtcp,
  ReceiverReportPacket,
  ReceptionReport,
  SdesChunk,
  SdesPacket,
  SenderReportPacket,
} from 'rtp.js/packets';
import type { ReceiverReport } from './rtp-statistics.ts';

/** Of RFC 3550, section 6.5.1; the package exports the name as a type only. */
const SDES_CNAME = 1;

export type RtcpReport = {
  ssrc: number;
  /** What is told of the person who sends; the same in every report of the call. */
  cname: string;
  nowMs: number;
  sent: { packetCount: number; octetCount: number; timestamp: number };
  heard: ReceiverReport | undefined;
  /** The last report of the far end, and when it came. */
  lastSenderReport: { ntp: number; atMs: number } | undefined;
  isLast: boolean;
};

/** A compound packet: sender or receiver report, name, and at the end of the call the good-bye. */
export function writeRtcp(report: RtcpReport): Buffer {
  const { ssrc, cname, nowMs, sent, heard, lastSenderReport, isLast } = report;
  const compound = new CompoundPacket();
  const main = sent.packetCount > 0 ? new SenderReportPacket() : new ReceiverReportPacket();
  main.setSsrc(ssrc);
  if (main instanceof SenderReportPacket) {
    main.setNtpSeconds(Math.floor(nowMs / 1_000));
    main.setNtpFraction(Math.floor(((nowMs % 1_000) / 1_000) * 2 ** 32));
    main.setRtpTimestamp(sent.timestamp);
    main.setPacketCount(sent.packetCount >>> 0);
    main.setOctetCount(sent.octetCount >>> 0);
  }
  if (heard) main.addReport(receptionReport(heard, nowMs, lastSenderReport));
  compound.addPacket(main);
  const chunk = new SdesChunk();
  chunk.setSsrc(ssrc);
  chunk.addItem(SDES_CNAME, cname);
  const names = new SdesPacket();
  names.addChunk(chunk);
  compound.addPacket(names);
  if (isLast) {
    const bye = new ByePacket();
    bye.addSsrc(ssrc);
    compound.addPacket(bye);
  }
  compound.serialize();
  const view = compound.getView();
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function receptionReport(
  heard: ReceiverReport,
  nowMs: number,
  lastSenderReport: RtcpReport['lastSenderReport'],
): ReceptionReport {
  const report = new ReceptionReport();
  report.setSsrc(heard.ssrc);
  report.setFractionLost(heard.fractionLost);
  report.setTotalLost(heard.totalLost);
  report.setHighestSeqNumber(heard.highestSequence);
  report.setJitter(heard.jitter);
  if (lastSenderReport) {
    report.setLastSRTimestamp(lastSenderReport.ntp);
    report.setDelaySinceLastSR(Math.floor(((nowMs - lastSenderReport.atMs) * 65_536) / 1_000) >>> 0);
  }
  return report;
}

/** The middle 32 bits of the time in a sender report. Undefined for other packets, and for what is no RTCP. */
export function readSenderReport(bytes: Buffer): { ntp: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    // The library reads the first two bytes without a look at the length.
    if (!isRtcp(view)) return undefined;
    for (const packet of new CompoundPacket(view).getPackets())
      if (packet instanceof SenderReportPacket)
        return {
          ntp: (((packet.getNtpSeconds() & 0xffff) << 16) | (packet.getNtpFraction() >>> 16)) >>> 0,
        };
  } catch {
    // Whatever somebody sends to that port.
  }
  return undefined;
}
