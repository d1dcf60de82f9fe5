import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { lockAgentsForUse } from '#lib/features/agents/repository.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Database } from '#db/client.ts';
import type { PhoneNumber, PhoneNumberView } from './contract.ts';
import {
  deleteNumber,
  findByNumber,
  findNumberWithAgent,
  hasOpenCall,
  insertNumber,
  listNumbers,
  lockNumber,
  lockNumberChoice,
  type NumberRow,
  takenSimulatedNumbers,
  updateNumber,
} from './repository.ts';
import { nextSimulatedNumber, NUMBER_LIMITS } from './rules.ts';

type NewNumber = {
  number?: string | undefined;
  agentId?: string | null | undefined;
  maxConcurrentCalls?: number | undefined;
};
type NumberChange = { agentId?: string | null | undefined; maxConcurrentCalls?: number | undefined };

type NumbersDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'>;

export type NumbersService = ReturnType<typeof createNumbersService>;

/** The workspace's phone numbers: which agent uses each, over which carrier, and for how many calls at once. */
export function createNumbersService(deps: NumbersDeps) {
  return {
    list: async (actor: Actor): Promise<PhoneNumber[]> =>
      (await listNumbers(deps.db, actor.workspaceId)).map(shown),

    /** Which agent each number belongs to. */
    listAssignments: async (actor: Actor): Promise<PhoneNumberView[]> =>
      (await listNumbers(deps.db, actor.workspaceId)).map(({ number }) => ({
        id: number.id,
        number: number.number,
        agentId: number.agentId,
        carrier: number.carrier,
      })),

    /** The workspace's number written exactly so, or undefined: another workspace's number is not found either. */
    findByNumber: (actor: Actor, number: string) => findByNumber(deps.db, actor.workspaceId, number),

    /** Makes a simulated number: the one asked for (400 when somebody has it), or the lowest free one. */
    async create(actor: Actor, input: NewNumber): Promise<PhoneNumber> {
      return deps.db.transaction(async (tx) => {
        if (input.agentId) await lockAgentsForUse(tx, actor.workspaceId, [input.agentId]);
        const row = await insert(deps, tx, { workspaceId: actor.workspaceId, input });
        const data = { number: row.number, agentId: row.agentId };
        await recordAudit(tx, deps.clock, actor, { action: 'number.created', targetId: row.id, data });
        return show(tx, actor, row.id);
      });
    },

    /** Fields left out stay. Calls that run keep the agent they began with. */
    async update(actor: Actor, numberId: string, change: NumberChange): Promise<PhoneNumber> {
      return deps.db.transaction(async (tx) => {
        const before = await lockNumber(tx, actor.workspaceId, numberId);
        if (change.agentId) await lockAgentsForUse(tx, actor.workspaceId, [change.agentId]);
        const changes = changesBetween<NumberChange>(before, change);
        if (Object.keys(changes).length > 0) {
          await updateNumber(tx, actor.workspaceId, numberId, change, deps.clock.now());
          const data = { number: before.number, ...changes };
          await recordAudit(tx, deps.clock, actor, { action: 'number.updated', targetId: numberId, data });
        }
        return show(tx, actor, numberId);
      });
    },

    /** Throws 400 INVALID_STATE while a call on the number has not ended. */
    async remove(actor: Actor, numberId: string): Promise<null> {
      return deps.db.transaction(async (tx) => {
        const row = await lockNumber(tx, actor.workspaceId, numberId);
        if (await hasOpenCall(tx, actor.workspaceId, numberId)) {
          throw new AppError(
            'INVALID_STATE',
            'A call on this number is queued or running; delete it afterwards',
          );
        }
        await deleteNumber(tx, actor.workspaceId, numberId);
        const data = { number: row.number };
        await recordAudit(tx, deps.clock, actor, { action: 'number.deleted', targetId: numberId, data });
        return null;
      });
    },
  };
}

/** The number asked for, or the lowest free one of the simulated range. */
async function insert(
  deps: NumbersDeps,
  tx: Database,
  { workspaceId, input }: { workspaceId: WorkspaceId; input: NewNumber },
): Promise<NumberRow> {
  await lockNumberChoice(tx);
  const number = input.number ?? nextSimulatedNumber(await takenSimulatedNumbers(tx));
  if (number === undefined) {
    throw new AppError('INVALID_STATE', 'Every simulated number is taken: give one yourself');
  }
  const row = await insertNumber(tx, workspaceId, {
    id: deps.ids.next('pn'),
    number,
    agentId: input.agentId ?? null,
    maxConcurrentCalls: input.maxConcurrentCalls ?? NUMBER_LIMITS.defaultConcurrentCalls,
    now: deps.clock.now(),
  });
  if (!row) throw validationError([{ field: 'number', reason: 'is already in use' }]);
  return row;
}

async function show(tx: Database, actor: Actor, numberId: string): Promise<PhoneNumber> {
  const row = await findNumberWithAgent(tx, actor.workspaceId, numberId);
  if (!row) throw notFound('Phone number');
  return shown(row);
}

function shown(row: { number: NumberRow; agent: { id: string; name: string } | null }): PhoneNumber {
  return {
    id: row.number.id,
    number: row.number.number,
    carrier: row.number.carrier,
    agent: row.agent,
    maxConcurrentCalls: row.number.maxConcurrentCalls,
    createdAt: row.number.createdAt.toISOString(),
    updatedAt: row.number.updatedAt.toISOString(),
  };
}
