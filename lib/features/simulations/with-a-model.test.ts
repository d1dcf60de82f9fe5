import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEndpoint } from '#lib/adapters/models/openai/testing.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { scenarioForTest, untilOver } from './testing.ts';

type Asked = {
  stream?: boolean;
  messages: { role: string; content: string }[];
  response_format?: { json_schema?: { name: string } };
};

let server: Awaited<ReturnType<typeof startEndpoint<Asked>>>;
let runtime: TestRuntime;
let line: SeededLine;
/** What the model says as the caller, and as the judge. */
let callerLines: unknown[];
let judgement: unknown;

beforeAll(async () => {
  server = await startEndpoint<Asked>('/chat/completions', answer);
  const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'test' };
  runtime = await startTestRuntime({ worker: true, env });
  line = await seedLine(runtime.db, 'modelled');
});
afterAll(async () => {
  await runtime.close();
  await server.close();
});

/** Speaks the protocol of chat completions: JSON for caller and judge, a stream for the agent. */
function answer({ stream, messages, response_format: format }: Asked, response: ServerResponse): void {
  const name = format?.json_schema?.name;
  const heard = messages.at(-1)?.content ?? '';
  const content =
    name === 'next_words'
      ? JSON.stringify(callerLines.shift() ?? { say: 'Bye.', hangsUp: true })
      : name === 'judgement'
        ? JSON.stringify(judgement)
        : heard.includes('price')
          ? 'It is 80 euros. Anything else?'
          : 'You are welcome, goodbye.';
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
  const shared = { id: 'c', created: 0, model: 'm' };
  if (!stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ...shared, object: 'chat.completion', choices, usage }));
    return;
  }
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...shared, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], usage })}\n\n`;
  response.setHeader('content-type', 'text/event-stream');
  response.end(`${chunk({ role: 'assistant', content }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
}

const SCENARIO = scenarioForTest('Played', {
  caller: { playedBy: 'model', description: 'Anna, who asks for the price of a check-up.' },
  criteria: [
    { type: 'said', text: '80 euros' },
    { type: 'judged', sentence: 'The agent was friendly.' },
    { type: 'judged', sentence: 'The agent asked for the birth date.' },
    { type: 'judged', sentence: 'The agent spoke of the weather.' },
  ],
});

async function run() {
  const { simulations } = runtime;
  const [known] = await simulations.scenarios.list(line.actor, line.agentId);
  if (!known) await simulations.scenarios.create(line.actor, line.agentId, SCENARIO);
  const { id: simulationId } = await simulations.start(line.actor, line.agentId, {});
  const over = await untilOver(() =>
    simulations.get(line.actor, { agentId: line.agentId, simulationId }, { hasTranscripts: true }),
  );
  return over.results[0];
}

it('lets the model play the caller and judge the sentences, with the words that it names', async () => {
  callerLines = [
    { say: 'What is the price of a check-up?', hangsUp: false },
    { say: 'Thank you, goodbye.', hangsUp: true },
  ];
  judgement = {
    verdicts: [
      { number: 1, isTrue: true, reason: 'It offered more help.', words: 'Agent: Anything else?' },
      { number: 2, isTrue: false, reason: 'It never asked.', words: '' },
    ],
  };
  const result = await run();
  expect(result).toMatchObject({ playedBy: 'model', answeredBy: 'model', outcome: 'failed' });
  expect(result?.turns?.map(({ text }) => text)).toContain('What is the price of a check-up?');
  expect(result?.verdicts).toMatchObject([
    { state: 'passed' },
    {
      state: 'passed',
      reason: 'It offered more help.',
      quote: { speaker: 'agent', text: expect.stringContaining('Anything else?') },
    },
    { state: 'failed', reason: 'It never asked.', quote: null },
    { state: 'not_judged', reason: 'The model did not judge it.' },
  ]);
  const caller = server.asked.find(
    ({ response_format: format }) => format?.json_schema?.name === 'next_words',
  );
  expect(JSON.stringify(caller?.messages)).toContain('Anna, who asks for the price of a check-up.');
});

it('says that nobody judged where the judgement cannot be read, and that it was not run where the caller fails', async () => {
  callerLines = [{ say: 'Bye.', hangsUp: true }];
  judgement = { verdicts: 'all good' };
  const unread = await run();
  expect(unread?.verdicts[1]).toMatchObject({
    state: 'not_judged',
    reason: 'The model gave no usable judgement.',
  });
  callerLines = [{ words: 'not what was asked for' }];
  expect(await run()).toMatchObject({
    outcome: 'broken',
    reason: expect.stringContaining('plays the caller'),
  });
});
