import { and, asc, desc, eq, exists, ilike, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { knowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { containing } from '#lib/features/conversations/rules.ts';

/** What is looked for: an id as it was typed, words that a name has all of, digits of a number. */
export type Wanted = { id: string; words: readonly string[]; digits: string | null };

/** Results of one kind: more would not fit the palette. */
const LIMIT = 5;

export async function findAgents(db: Database, workspaceId: WorkspaceId, wanted: Wanted) {
  const ownNumber = db
    .select({ id: phoneNumbers.id })
    .from(phoneNumbers)
    .where(
      and(
        eq(phoneNumbers.workspaceId, workspaceId),
        eq(phoneNumbers.agentId, agents.id),
        hasDigits(phoneNumbers.number, wanted),
      ),
    );
  return db
    .select({ id: agents.id, name: agents.name, isActive: agents.isActive })
    .from(agents)
    .where(
      and(
        eq(agents.workspaceId, workspaceId),
        notDeleted,
        or(
          eq(agents.id, wanted.id),
          hasWords(agents.name, wanted),
          hasWords(agents.personaName, wanted),
          wanted.digits === null ? undefined : exists(ownNumber),
        ),
      ),
    )
    .orderBy(asc(sql`lower(${agents.name})`), asc(agents.id))
    .limit(LIMIT);
}

export async function findPrompts(db: Database, workspaceId: WorkspaceId, wanted: Wanted) {
  return db
    .select({
      id: outboundPrompts.id,
      title: outboundPrompts.title,
      agentId: agents.id,
      agentName: agents.name,
    })
    .from(outboundPrompts)
    .innerJoin(agents, eq(agents.id, outboundPrompts.agentId))
    .where(
      and(
        eq(outboundPrompts.workspaceId, workspaceId),
        or(eq(outboundPrompts.id, wanted.id), hasWords(outboundPrompts.title, wanted)),
      ),
    )
    .orderBy(asc(sql`lower(${outboundPrompts.title})`), asc(outboundPrompts.id))
    .limit(LIMIT);
}

export async function findKnowledgeBases(db: Database, workspaceId: WorkspaceId, wanted: Wanted) {
  return db
    .select({ id: knowledgeBases.id, name: knowledgeBases.name })
    .from(knowledgeBases)
    .where(
      and(
        eq(knowledgeBases.workspaceId, workspaceId),
        or(eq(knowledgeBases.id, wanted.id), hasWords(knowledgeBases.name, wanted)),
      ),
    )
    .orderBy(asc(sql`lower(${knowledgeBases.name})`), asc(knowledgeBases.id))
    .limit(LIMIT);
}

/** The most recent first; by the person's number, by a name among the variables, or by its id. */
export async function findConversations(db: Database, workspaceId: WorkspaceId, wanted: Wanted) {
  return db
    .select({
      id: calls.id,
      direction: calls.direction,
      humanPhoneNumber: calls.humanPhoneNumber,
      agentName: agents.name,
      dateInitiated: calls.dateInitiated,
      disposition: calls.disposition,
      variables: calls.variables,
    })
    .from(calls)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        or(
          eq(calls.id, wanted.id),
          hasDigits(calls.humanPhoneNumber, wanted),
          hasWords(sql`jsonb_path_query_array(${calls.variables}, '$.*')::text`, wanted),
        ),
      ),
    )
    .orderBy(desc(calls.dateInitiated), desc(calls.id))
    .limit(LIMIT);
}

function hasWords(column: SQLWrapper, { words }: Wanted): SQL | undefined {
  return and(...words.map((word) => ilike(column as SQL, containing(word))));
}

function hasDigits(column: SQLWrapper, { digits }: Wanted): SQL | undefined {
  return digits === null ? undefined : ilike(column as SQL, containing(digits));
}
