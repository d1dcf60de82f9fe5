import { type AsyncQueue, createAsyncQueue } from '#lib/async-queue.ts';
import type { Pacer } from '#lib/media/pacer.ts';
import type { ControlEvent, MediaLeg, NeverConnectedReason } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { TwilioRest } from './rest.ts';
import { createCallSound } from './sound.ts';
import { openStream, type StreamSocket, type StreamStart, type TwilioStream } from './stream.ts';
import { isOver as isOverAt, machineOf, reasonFor } from './outcome.ts';
import { createTransfers, type Transfers } from './transfer.ts';

export type TwilioLeg = MediaLeg & {
  /** Resolves when Twilio's name of the call is known; undefined where the call ended without one. */
  readonly sid: Promise<string | undefined>;
  isOver(): boolean;
  /** Somebody else talks on it now. */
  wasTransferred(): boolean;
  /** What was learnt of the call, in whatever order it comes and however often. */
  told: {
    sid(sid: string): void;
    status(status: string): void;
    machine(answeredBy: string): void;
    neverConnected(reason: NeverConnectedReason): void;
    /** The stream ended, or could not be opened. True: it is to be opened again. */
    streamEnded(): boolean;
    /** What becomes of a transfer. */
    transfer: Transfers['told'];
  };
  /** A connection with the call's sound; closed again where it is not this call's. */
  connect(socket: StreamSocket): void;
};

export type TwilioLegOptions = {
  reference: string;
  clock: CallClock;
  pacer: Pacer;
  rest: Pick<TwilioRest, 'complete' | 'status' | 'update' | 'isRefusal'>;
  direction: 'INBOUND' | 'OUTBOUND';
  /** Whether a stream's start names this account and this call. `sid` is undefined where it is not known yet. */
  isOurs(start: StreamStart, sid: string | undefined): boolean;
  /** Gives a call the instructions that hand it over. */
  transferTwiml(request: { to: string; callerId: string }): string;
  onFailed(what: string, error: unknown): void;
  /** Once, at the end. */
  onOver(): void;
};

/** A call that came in, or that is answered, without sound for so long has none. */
const STREAM_WITHIN_MS = 15_000;
/** Tries to end a call, and the wait between them. */
const END_TRIES = 4;
/** While nobody has answered Twilio is asked so often, as callbacks may be lost. */
const ASK_EVERY_MS = 20_000;
/** So often in a row a stream may fail to open. */
const STREAM_TRIES = 3;
const END_AGAIN_MS = 1_000;

/** A call as the service sees it: what Twilio tells of it, and the sound of its Media Stream. */
export function createTwilioLeg(options: TwilioLegOptions): TwilioLeg {
  const { reference, clock, rest } = options;
  const events: AsyncQueue<ControlEvent> = createAsyncQueue();
  const sound = createCallSound(options);
  const named = Promise.withResolvers<string | undefined>();
  let stream: TwilioStream | undefined;
  let waiting: AbortController | undefined;
  let sid: string | undefined;
  let failedStreams = 0;
  let hasRung = false;
  let isAnswered = false;
  let isOver = false;
  let wasTransferred = false;

  const nowMs = () => clock.nowMs();
  function name(given: string): void {
    sid ??= given;
    named.resolve(given);
  }
  const transfers = createTransfers({
    clock,
    status: () => rest.status(sid ?? ''),
    // It has a name since its stream began.
    handOver: (request) => rest.update(sid ?? '', options.transferTwiml(request)),
    hasSound: () => stream !== undefined,
    isRefusal: rest.isRefusal,
    whenBack: () => void waitForStream(),
  });

  function end(event: ControlEvent): void {
    if (isOver) return;
    isOver = true;
    waiting?.abort();
    transfers.over();
    sound.end();
    events.push(event);
    events.close();
    named.resolve(undefined);
    options.onOver();
  }
  const hungUp = (by: 'human' | 'agent' | 'carrier') => end({ type: 'hangup', atMs: nowMs(), by });

  /** Ends the call at Twilio. Its stream is closed whatever comes of that: then Twilio asks, and is told to hang up. */
  async function complete(): Promise<void> {
    const open = stream;
    stream = undefined;
    const call = await named.promise;
    for (let tries = 1; call !== undefined && tries <= END_TRIES; tries += 1) {
      try {
        await rest.complete(call);
        break;
      } catch (error) {
        if (tries === END_TRIES) options.onFailed('twilio_call_left', error);
        else await clock.sleep(END_AGAIN_MS);
      }
    }
    open?.close();
  }

  /** Callbacks tell sooner, where they come. */
  async function askWhileRinging(): Promise<void> {
    const call = await named.promise;
    while (call !== undefined && !isAnswered && !isOver) {
      await clock.sleep(ASK_EVERY_MS);
      const status = isAnswered || isOver ? '' : await rest.status(call).catch(() => '');
      hearStatus(status);
    }
  }

  function hearStatus(status: string): void {
    if (isOver) return;
    if (status === 'ringing' && !hasRung && !isAnswered) {
      hasRung = true;
      events.push({ type: 'ringing', atMs: nowMs() });
    } else if (status === 'in-progress' && !isAnswered && !waiting) void waitForStream();
    else if (isOverAt(status)) {
      if (isAnswered) hungUp('human');
      else end({ type: 'never_connected', atMs: nowMs(), reason: reasonFor(status) });
    }
  }
  if (options.direction === 'OUTBOUND') void askWhileRinging();

  /** The call goes on where a connection comes in time. */
  async function waitForStream(): Promise<void> {
    waiting?.abort();
    const wait = new AbortController();
    waiting = wait;
    try {
      await clock.sleep(STREAM_WITHIN_MS, wait.signal);
    } catch {
      return;
    }
    if (!isOver) giveUp();
  }

  /** The line is dead, and nobody is left on it. */
  function giveUp(): void {
    void complete();
    if (isAnswered) hungUp('carrier');
    else end({ type: 'never_connected', atMs: nowMs(), reason: 'network_failure' });
  }

  function start(begun: StreamStart, opened: TwilioStream): void {
    if (isOver || !options.isOurs(begun, sid)) return opened.close();
    name(begun.callSid);
    failedStreams = 0;
    waiting?.abort();
    stream?.close();
    stream = opened;
    sound.connect(opened);
    transfers.back();
    if (isAnswered) return;
    isAnswered = true;
    events.push({ type: 'answered', atMs: nowMs(), by: 'unknown' });
  }

  /** The connection is gone: the call may be over, or its stream is opened again. */
  async function lost(): Promise<void> {
    stream = undefined;
    sound.disconnect();
    if (transfers.isUnderWay()) return;
    void waitForStream();
    const status = await rest.status(sid ?? '').catch(() => '');
    if (isOverAt(status) && !stream) hungUp('human');
  }

  return {
    reference,
    clock,
    events,
    media: sound.media,
    sid: named.promise,
    isOver: () => isOver,
    wasTransferred: () => wasTransferred,
    told: {
      sid: name,
      streamEnded() {
        if (isOver) return false;
        if ((failedStreams += 1) <= STREAM_TRIES) return true;
        giveUp();
        return false;
      },
      status: hearStatus,
      machine(answeredBy) {
        const machine = machineOf(answeredBy);
        if (machine && !isOver) events.push({ type: 'machine_detected', atMs: nowMs(), ...machine });
      },
      neverConnected: (reason) => end({ type: 'never_connected', atMs: nowMs(), reason }),
      transfer: transfers.told,
    },
    connect(socket) {
      const opened: TwilioStream = openStream(socket, {
        onStart: (begun) => start(begun, opened),
        onSound: (bytes) => stream === opened && sound.heard(bytes),
        onMark: (name) => stream === opened && sound.marked(name),
        onDigit(digit) {
          if (stream === opened && !isOver) events.push({ type: 'digit', atMs: nowMs(), digit });
        },
        onStop() {
          // Stopped by the instructions of a transfer, or because somebody hung up.
          if (stream === opened && !transfers.isUnderWay()) hungUp('human');
        },
        onClosed() {
          if (stream === opened && !isOver) void lost();
        },
      });
    },
    trace: () => (sid === undefined ? undefined : { sid }),
    // Twilio opens the stream as soon as it has its instructions, which it had before the line was picked up.
    async answer() {
      if (options.direction === 'INBOUND' && !isAnswered) void waitForStream();
    },
    async hangUp() {
      if (isOver) return;
      void complete();
      hungUp('agent');
    },
    async transfer(request) {
      if (isOver || !isAnswered) return { ok: false, reason: 'the call is over' };
      const result = await transfers.begin(request);
      wasTransferred = result.ok;
      if (result.ok) hungUp('agent');
      return result;
    },
    sendDigits: (digits) => sound.pressKeys(digits.replace(/[^0-9*#A-D]/g, '')),
  };
}
