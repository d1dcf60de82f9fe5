import { createMediaOutput, type MediaOutput } from '#lib/media/media-output.ts';
import type { Pacer, PacerClock } from '#lib/media/pacer.ts';
import type { MediaStream } from '#lib/ports/media.ts';
import type { RtpPorts } from './rtp-ports.ts';
import { createRtpWire, type RtpAgreement, type RtpEvents, type RtpSummary } from './rtp-wire.ts';

/** The sound of one call, wherever its packets are made. */
export type RtpSession = {
  port: number;
  media: MediaStream;
  /** What was agreed on, at first and each time that it changes. */
  agree(agreement: RtpAgreement): void;
  /** From now on sound goes both ways; `startedAtMs` is the process's time at the call's zero. */
  start(startedAtMs: number): void;
  pressKeys(digits: string): Promise<boolean>;
  /** Nothing is sent or heard after it. */
  close(): Promise<RtpSummary>;
};

/** Opens the sockets of a call on `address`; rejects where no port is free. */
export type OpenRtp = (call: RtpEvents & { address: string; cname: string }) => Promise<RtpSession>;

/** Sound that is sent by the thread that asks for it, by any clock and over any sockets. Calls have rtp-threads.ts. */
export function openRtpHere(options: {
  ports: RtpPorts;
  pacer: Pacer;
  clock: PacerClock;
  random32: () => number;
}): OpenRtp {
  const { ports, pacer, clock } = options;
  return async ({ address, ...call }) => {
    const sockets = await ports.open(address);
    const wire = createRtpWire({ ...options, ...call, sockets });
    const started = Promise.withResolvers<MediaOutput | undefined>();
    const waiting: Int16Array[] = [];
    let output: MediaOutput | undefined;
    let isClosed = false;
    let listener: Parameters<MediaStream['onFrame']>[0] | undefined;

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
      agree: wire.agree,
      start(startedAtMs) {
        if (isClosed || output) return;
        output = createMediaOutput({ pacer, clock, send: wire.sendFrame });
        for (const samples of waiting.splice(0)) output.write(samples);
        started.resolve(output);
        wire.start((frame, atMs) => listener?.(frame, atMs - startedAtMs));
      },
      pressKeys: wire.pressKeys,
      async close() {
        isClosed = true;
        output?.end();
        started.resolve(undefined);
        return wire.close();
      },
    };
  };
}
