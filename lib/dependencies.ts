import type { Database, OpenDatabase } from '#db/client.ts';
import type { Env } from '#lib/env.ts';
import type { Logger } from '#lib/log.ts';
import type { OpenSpokenLeg } from '#lib/engine/run-conversation.ts';
import type { BrowserCarrier } from '#lib/ports/browser-carrier.ts';
import type { Carriers, Leg } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';

/**
 * What services are built from. A service takes the ones it uses (`Pick<Dependencies, 'db' | 'clock'>`); `runtime.ts`
 * opens them.
 */
export type Dependencies = {
  env: Env;
  database: OpenDatabase;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  queue: Queue;
  storage: ObjectStorage;
  carriers: Carriers;
  /** The line of a simulated person who calls in from `from`, and waits to be answered. */
  simulateCaller(caller: { reference: string; from: string }): Leg;
  /** Calls over WebSockets. */
  browser: BrowserCarrier;
  /** Undefined: what people say is not understood. */
  transcriber: Transcriber | undefined;
  openSpokenLeg: OpenSpokenLeg;
  speech: SpeechSynthesizer & { close(): Promise<void> };
  /** Undefined: the agents are run by the local brain. */
  languageModel: LanguageModel | undefined;
  /** Signs sessions (better-auth). */
  authSecret: string;
  /** Signs links to recordings. */
  signingSecret: string;
};
