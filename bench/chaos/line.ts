/** The workspace of the kill suite: two numbers, one simulated and one behind a telephone company that counts. */
import { phoneNumbers } from '#db/schema/numbers.ts';
import { knowledgeBases } from '#db/schema/knowledge.ts';
import type { OpenDatabase } from '#db/client.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';

export const WORKSPACE = 'ws_chaos';
export const BASE_ID = 'kb_chaos';
const SIMULATED = '+15550009001';
const OVER_SIP = '+15550009002';
/** Calls from them in turn: SIP costs seconds, a simulated call milliseconds. */
export const ownNumbers = [SIMULATED, SIMULATED, SIMULATED, OVER_SIP] as const;

/** Nobody else's: whoever is called twice was called for one call. The last two digits say what a simulated person does. */
export const numberOfCall = (slot: number, count: number) =>
  `+1555${slot}${String(count).padStart(4, '0')}${String(count % 12).padStart(2, '0')}`;

export async function seedChaos({ db }: OpenDatabase, webhookUrl: string): Promise<void> {
  const line = await seedLine(db, 'chaos', {
    // Leases of dead workers count until they run out: calls are not to wait for those.
    workspace: { webhookUrl, maxConcurrentCalls: 1000 },
    number: { number: SIMULATED, maxConcurrentCalls: 1000 },
  });
  const at = new Date();
  await db.insert(phoneNumbers).values({
    id: 'pn_chaos_sip',
    workspaceId: WORKSPACE,
    agentId: line.agentId,
    number: OVER_SIP,
    maxConcurrentCalls: 1000,
    carrier: 'sip',
    createdAt: at,
    updatedAt: at,
  });
  await db.insert(knowledgeBases).values({
    id: BASE_ID,
    workspaceId: WORKSPACE,
    name: 'Chaos',
    description: 'What is asked for while processes die.',
    embeddingModel: LEXICAL_MODEL,
    createdAt: at,
    updatedAt: at,
  });
}
