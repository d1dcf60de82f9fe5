import { joinSamples } from '#lib/media/samples.ts';
import { createPacer } from '#lib/media/pacer.ts';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { describeMediaStream } from '#lib/ports/media-conformance.ts';
import { createBrowserLeg } from './leg.ts';

describeMediaStream('a WebSocket', async () => {
  const clock = createTestCallClock();
  const sent: Int16Array[] = [];
  let receive: (data: Buffer, isBinary: boolean) => void = () => undefined;
  const leg = createBrowserLeg({
    reference: 'call',
    socket: {
      bufferedAmount: 0,
      send: (data) => {
        if (typeof data !== 'string') sent.push(new Int16Array(data.slice().buffer));
      },
      close: () => undefined,
      on(event: string, listener: (data: Buffer, isBinary: boolean) => void) {
        if (event === 'message') receive = listener;
      },
    },
    direction: 'OUTBOUND',
    greeting: { type: 'ready', conversationId: 'call', understandsSpeech: true },
    clock,
    pacer: createPacer({
      clock,
      onFailed: (error) => {
        throw error;
      },
    }),
    onClosed: () => undefined,
  });
  const tell = (message: unknown) => receive(Buffer.from(JSON.stringify(message)), false);
  return {
    media: leg.media,
    say: (samples) => receive(Buffer.from(samples.slice().buffer), true),
    heard: () => {
      const all = joinSamples(sent);
      return all.subarray(all.findIndex((sample) => sample !== 0));
    },
    pass: clock.pass,
    hangUp: () => tell({ type: 'hangup' }),
    close: () => leg.hangUp(),
  };
});
