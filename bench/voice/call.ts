import { systemIds } from '#lib/adapters/system/ids.ts';
import type { ConversationParts } from '#lib/conversation-process/conversations.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { type MemorySinks, planForTest, silentLog } from '#lib/engine/testing.ts';
import { parseEnv } from '#lib/env.ts';
import { type Caller, connectCaller, serveCall } from './caller.ts';
import { holdConversation } from './conversation.ts';
import { type Script, startProvider } from './provider.ts';

export type Voices = {
  /** The local voices, of all calls. */
  local: ConversationParts['speech'];
  person(text: string): Promise<Int16Array>;
  /** What the provider's own voice says. */
  agent(text: string): Promise<Int16Array>;
};

export type Situation = {
  name: string;
  /** What a listener should hear. */
  note: string;
  script: Script;
  plan?: Parameters<typeof planForTest>[0];
  /** What the caller does once the line is open; the opening comes meanwhile. */
  act(call: { caller: Caller; says(words: string, samples?: Int16Array): Promise<void> }): Promise<void>;
};

export type Held = { situation: Situation; wav: Buffer; sinks: MemorySinks; endReason: string };

/** Holds one call in real time: a caller over the WebSocket leg, the whole engine, and a provider by script. */
export async function holdCall(situation: Situation, voices: Voices): Promise<Held> {
  const { script } = situation;
  const provider = await startProvider(script, voices.agent);
  const env = parseEnv({
    OPENAI_BASE_URL: provider.baseUrl,
    CHAT_MODEL: 'scripted',
    ...(script.fallback ? { CHAT_MODEL_FALLBACK: 'fallback' } : {}),
    TRANSCRIPTION_MODEL: 'whisper-1',
    SPEECH_MODEL: script.speech ? 'scripted-voice' : 'local',
  });
  // One call's end is not theirs.
  const speech = { ...voices.local, close: async () => undefined };
  const conversations = createConversations({
    ...openModels(env, silentLog, speech),
    ids: systemIds,
    log: silentLog,
  });
  const reference = `cnv_${situation.name}`;
  const server = await serveCall(conversations, reference);
  const caller = await connectCaller(server.url);
  const plan = planForTest({ callId: reference, ...situation.plan });
  const { sinks, ended } = await holdConversation(conversations, { plan, carrier: 'browser', reference });
  await situation.act({
    caller,
    async says(words, samples) {
      provider.state.words = words;
      await caller.say(samples ?? (await voices.person(words)));
    },
  });
  caller.hangUp();
  const { wav, endReason } = await ended;
  await conversations.close();
  server.close();
  await provider.close();
  return { situation, wav, sinks, endReason };
}
