import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let actor: Actor;

beforeAll(async () => {
  runtime = await startTestRuntime();
  actor = await addWorkspace(runtime, 'ws_old');
});
afterAll(() => runtime.close());

/** What the migration does to rows; its new columns are there already. */
async function migrateRows(): Promise<void> {
  const file = await readFile(new URL('../drizzle/0005_written_card_fields.sql', import.meta.url), 'utf8');
  const updates = file.split('--> statement-breakpoint').filter((statement) => statement.includes('UPDATE'));
  expect(updates).toHaveLength(6);
  for (const update of updates) await runtime.db.execute(sql.raw(update));
}

it('older databases forget the lines made of names that they stored, and keep the others', async () => {
  const { workspaceId } = actor;
  const [createdAt, updatedAt] = [runtime.clock.now(), runtime.clock.now()];
  const lines = {
    composed: 'Hello {{name}}, this is Mia from Dr. Patel & Sons. Do you have a moment?',
    nameless: 'Hello, this is the assistant of Alpha. Do you have a moment?',
    german: 'Guten Tag, hier ist Mia von Alpha. Haben Sie einen Moment Zeit?',
    french: "Bonjour, ici l'assistant de Alpha. Avez-vous un moment ?",
    written: 'Hello {{name}}, this is Mia from Alpha. It is time. Do you have a moment?',
  };
  const agent = {
    workspaceId,
    createdAt,
    updatedAt,
    name: 'A',
    inboundGreeting: 'Hello, thank you for calling Alpha. How can I help you today?',
  };
  const single = { inboundSinglePrompt: '# Opening\nAhoy.\n', inboundGreeting: 'Ahoy.' };
  const edited = { voiceCardEdited: true, inboundGreeting: 'Hi, Mia here.', voiceTone: 'calm' as const };
  await runtime.db.insert(agents).values([
    { ...agent, id: 'a_composed' },
    { ...agent, ...single, id: 'a_single' },
    { ...agent, ...edited, id: 'a_written' },
  ]);
  const prompt = { createdAt, updatedAt, workspaceId, agentId: 'a_composed', title: 'T', instructions: 'x' };
  await runtime.db.insert(outboundPrompts).values(
    Object.entries(lines).map(([id, opening]) => ({
      ...prompt,
      id,
      opening,
      personaName: 'Mia',
      voiceCardEdited: true,
    })),
  );
  await migrateRows();
  const prompts = await runtime.db
    .select()
    .from(outboundPrompts)
    .where(sql`agent_id = 'a_composed'`);
  expect(
    Object.fromEntries(
      prompts.map(({ id, opening, writtenCardFields }) => [id, [opening, writtenCardFields]]),
    ),
  ).toEqual({
    composed: [null, ['personaName']],
    nameless: [null, ['personaName']],
    german: [null, ['personaName']],
    french: [null, ['personaName']],
    written: [lines.written, ['personaName', 'opening']],
  });
  const rows = await runtime.db
    .select()
    .from(agents)
    .where(sql`id like 'a!_%' escape '!'`)
    .orderBy(agents.id);
  expect(rows.map(({ inboundGreeting, writtenCardFields }) => [inboundGreeting, writtenCardFields])).toEqual([
    [null, []],
    ['Ahoy.', ['inboundGreeting']],
    ['Hi, Mia here.', ['inboundGreeting', 'voiceTone']],
  ]);
});
