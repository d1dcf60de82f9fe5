/**
 * A process with scripted conversations, for tests: the opening of the plan says what happens after the first turn. Its
 * folder of journals is the first argument's.
 */
import { WebSocketServer } from 'ws';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createCallRecorder } from '#lib/engine/call-recorder.ts';
import type { ConversationResult } from '#lib/engine/plan.ts';
import { createLogger } from '#lib/log.ts';
import { silentLeg } from '#lib/engine/testing.ts';
import { serveConversations } from './child.ts';
import type { Conversations } from './conversations.ts';

const ENDED: Omit<ConversationResult, 'recording'> = {
  connected: true,
  neverConnectedReason: null,
  answeredBy: 'human',
  durationMs: 1_000,
  voicemail: null,
  transferredTo: null,
  appointment: null,
  callback: null,
  endedBy: 'human',
  endReason: 'The person said goodbye.',
  usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
};

const turn = (seq: number, text: string) => ({
  seq,
  speaker: 'agent' as const,
  text,
  intendedText: null,
  startedMs: seq * 1_000,
  endedMs: seq * 1_000 + 500,
  interrupted: false,
});

const run: Conversations['run'] = async ({
  plan,
  sinks,
  searchKnowledge,
  useWorkspaceTool,
  signal,
  supervision,
  recordingPath,
}) => {
  const recorder = createCallRecorder(() => {}, recordingPath);
  sinks.ringing(0);
  sinks.answered(10, 'human');
  recorder.write('agent', new Int16Array(16_000).fill(7), 0);
  await recorder.flush();
  sinks.turn(turn(1, 'Hello.'));
  await sinks.flush();
  switch (plan.prompt.opening) {
    case 'die':
      process.kill(process.pid, 'SIGKILL');
      break;
    case 'freeze':
      for (;;);
    // eslint-disable-next-line no-fallthrough -- never reached
    case 'break':
      throw new Error('the engine broke');
    case 'ask':
      sinks.event('asked', {
        granted: await sinks.extendUsage(120),
        hits: await searchKnowledge('prices'),
        used: await useWorkspaceTool({ integrationId: 'int_1', name: 'look_up', arguments: { id: 7 } }),
      });
      break;
    case 'supervised': {
      const clock = { nowMs: () => performance.now(), sleep: systemClock.sleep };
      const ordered = Promise.withResolvers<void>();
      const speak = setInterval(
        () => supervision.hears('human', new Int16Array(1_600).fill(9), performance.now()),
        100,
      );
      supervision.says({ speaker: 'agent', text: 'Let me see' });
      supervision.begin({
        clock,
        onOrder(order) {
          sinks.event('order', { ...order });
          ordered.resolve();
        },
      });
      await ordered.promise;
      clearInterval(speak);
      supervision.end();
      break;
    }
    case 'hold':
      // It may have been asked to stop while its first turn was written.
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      sinks.turn(turn(2, 'I have to go, goodbye.'));
  }
  return { ...ENDED, recording: await recorder.finish(ENDED.durationMs) };
};

const sockets = new WebSocketServer({ noServer: true });
/** Sends back what comes, after a greeting. */
const echo: Conversations['connect'] = async (_carrier, callId, { request, socket, head }) =>
  sockets.handleUpgrade(Object.assign(Object.create(null), request), socket, head, (connected) => {
    connected.send(`welcome to ${callId}`);
    connected.on('message', (data, isBinary) => connected.send(data, { binary: isBinary }));
  });

const ownLine = `line_${process.pid}`;

serveConversations({
  conversations: {
    carriers: ['simulated'],
    async open({ reference }) {
      if (reference.startsWith('line_') && reference !== ownLine) throw new Error('the line is elsewhere');
      return silentLeg(reference);
    },
    run,
    lookup: async (_carrier, reference) => (reference === 'att_known' ? 'in_progress' : 'unknown'),
    tell: async (_carrier, reference, { topic }) =>
      reference === `att_${process.pid}` ? `heard ${topic}` : undefined,
    connect: echo,
    // Somebody calls in as soon as anybody listens.
    async listen(takeFrom, onState) {
      onState('sip', { state: 'listening' });
      await takeFrom('simulated')({ reference: ownLine, to: '+15550100001', from: null });
    },
    decline: async () => {},
    close: async () => {},
  },
  journalFolder: process.env.TEST_JOURNALS ?? '',
  clock: systemClock,
  log: createLogger('silent'),
});
