import { systemClock } from '#lib/adapters/system/clock.ts';
import { parseEnv } from '#lib/env.ts';
import { examineDatabase } from '#lib/installation/examine.ts';
import { examine } from './doctor-checks.ts';

/**
 * Opens the database, asks the configured model server what an agent will ask of it, and says in sentences what works and how fast:
 * `npm run doctor`. Ends with 1 where something does not work.
 */
async function run(): Promise<number> {
  const env = parseEnv(process.env);
  const { openai } = env;
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  const database = await examineDatabase(env, systemClock.now());
  say(`${database.isOk ? '✓' : '✗'} Database: ${database.sentence}`);
  if (!openai) {
    say('No model server is configured (OPENAI_API_KEY, OPENAI_BASE_URL).');
    say('Without one, agents follow their prompts by rules in English, local voices speak, knowledge bases');
    say('are searched by words, and conversations are summed up by rules.');
    return database.isOk ? 0 : 1;
  }
  say(`Asking ${openai.baseUrl ?? 'OpenAI'}:`);
  const findings = await examine(openai, {
    clock: systemClock,
    onFinding: ({ part, isOk, sentence }) => say(`${isOk ? '✓' : '✗'} ${part}: ${sentence}`),
  });
  if (!openai.speechModel) say('SPEECH_MODEL is local: the local voices speak, in English.');
  const failed = findings.filter(({ isOk }) => !isOk).length;
  say(failed === 0 ? 'Every model works.' : `${failed} of ${findings.length} do not work.`);
  return failed === 0 && database.isOk ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
