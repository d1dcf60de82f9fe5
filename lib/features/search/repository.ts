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
/** So many are looked through first: what many have is found among them, where the index would bring all of them. */
const NEWEST = sql.raw('2000');
/** As the index of parts of names has it (db/schema/calls.ts). */
const NAMES = sql.raw('call_names(variables, human_phone_number)');
const SEARCHED = sql.raw('id, date_initiated, variables, human_phone_number');
/** What that index knows something of. */
const INDEXED = /[\p{L}\p{N}]{3}/u;

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
  const open = sql`select ${SEARCHED} from calls where workspace_id = ${workspaceId} and status <> 'ended'`;
  const ended = sql`select ${SEARCHED} from calls where workspace_id = ${workspaceId} and status = 'ended'`;
  const isFound = sql`(id = ${wanted.id}${hasNames(wanted)})`;
  const newest = sql`select * from (${ended} order by date_initiated desc, id desc limit ${NEWEST}) newest`;
  const first = await selectFound(db, sql`(${open} and ${isFound}) union all (${newest} where ${isFound})`);
  const isIndexed = [...wanted.words, wanted.digits ?? '', wanted.id].some((word) => INDEXED.test(word));
  if (first.length === LIMIT || !isIndexed) return first;
  return selectFound(db, sql`(${open} and ${isFound}) union all (${ended} and ${isFound})`);
}

async function selectFound(db: Database, found: SQL) {
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
    .from(sql`(select * from (${found}) found order by date_initiated desc, id desc limit ${LIMIT}) found`)
    .innerJoin(calls, sql`${calls.id} = found.id`)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .orderBy(desc(calls.dateInitiated), desc(calls.id));
}

/** All of the words, or the digits together. */
function hasNames({ words, digits }: Wanted): SQL {
  const named = words.map((word) => sql`${NAMES} ilike ${containing(word)}`);
  const all = named.length === 0 ? sql`` : sql` or (${sql.join(named, sql` and `)})`;
  return digits === null ? all : sql`${all} or ${NAMES} ilike ${containing(digits)}`;
}

function hasWords(column: SQLWrapper, { words }: Wanted): SQL | undefined {
  return and(...words.map((word) => ilike(column as SQL, containing(word))));
}

function hasDigits(column: SQLWrapper, { digits }: Wanted): SQL | undefined {
  return digits === null ? undefined : ilike(column as SQL, containing(digits));
}
