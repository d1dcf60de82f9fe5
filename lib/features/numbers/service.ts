import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { lockAgentsForUse } from '#lib/features/agents/repository.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Database } from '#db/client.ts';
import type { Env } from '#lib/env.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import type { NumberSetup, PhoneNumber, PhoneNumberView } from './contract.ts';
import {
  deleteNumber,
  findByNumber,
  findNumberWithAgent,
  hasOpenCall,
  insertNumber,
  listNumbers,
  lockNumber,
  lockNumberChoice,
  type LastCall,
  type NumberRow,
  takenSimulatedNumbers,
  updateNumber,
} from './repository.ts';
import { findNumberCountry, guessOwnCountry } from './country/service.ts';
import { readCarrierStates } from './carriers/service.ts';
import { nextSimulatedNumber, NUMBER_LIMITS, numberFault } from './rules.ts';
import { isCarrierReady, setupOf } from './setup/rules.ts';

type NewNumber = {
  carrier?: NumberCarrier | undefined;
  number?: string | undefined;
  agentId?: string | null | undefined;
  maxConcurrentCalls?: number | undefined;
};
type NumberChange = { agentId?: string | null | undefined; maxConcurrentCalls?: number | undefined };

type NumbersDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
  env: Pick<Env, 'sip' | 'twilio' | 'publicUrl' | 'openai'>;
};

export type NumbersService = ReturnType<typeof createNumbersService>;

/** The workspace's phone numbers: which agent uses each, over which carrier, and for how many calls at once. */
export function createNumbersService(deps: NumbersDeps) {
  return {
    async list(actor: Actor): Promise<PhoneNumber[]> {
      const rows = await listNumbers(deps.db, actor.workspaceId);
      const states = await readCarrierStates(deps.db, deps.clock);
      return rows.map((row) => shown(deps, row, states));
    },

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

    /** The country whose numbers are written without a country code. */
    async country(actor: Actor) {
      const found = await findNumberCountry(deps.db, actor.workspaceId);
      const guess = await guessOwnCountry(deps.db, actor.workspaceId);
      return { country: found?.code ?? null, isGuessed: found?.isGuessed ?? false, guess };
    },

    /** What is switched on, and what has to be entered elsewhere; no secret. */
    setup: async (): Promise<NumberSetup> => setupOf(deps.env),

    /**
     * Adds a number: the one asked for (400 when somebody has it, or when it cannot be one of its carrier), or the lowest free
     * simulated one.
     */
    async create(actor: Actor, input: NewNumber): Promise<PhoneNumber> {
      return deps.db.transaction(async (tx) => {
        if (input.agentId) await lockAgentsForUse(tx, actor.workspaceId, [input.agentId]);
        const row = await insert(deps, tx, { workspaceId: actor.workspaceId, input });
        const data = { number: row.number, agentId: row.agentId, carrier: row.carrier };
        await recordAudit(tx, deps.clock, actor, { action: 'number.created', targetId: row.id, data });
        return show(deps, tx, actor, row.id);
      });
    },

    /** Fields left out stay. Calls that run keep the agent they began with. */
    async update(actor: Actor, numberId: string, change: NumberChange): Promise<PhoneNumber> {
      return deps.db.transaction(async (tx) => {
        const before = await lockNumber(tx, actor.workspaceId, numberId);
        assertBase(actor, before);
        if (change.agentId) await lockAgentsForUse(tx, actor.workspaceId, [change.agentId]);
        const changes = changesBetween<NumberChange>(before, change);
        if (Object.keys(changes).length > 0) {
          await updateNumber(tx, actor.workspaceId, numberId, change, deps.clock.now());
          const data = { number: before.number, ...changes };
          await recordAudit(tx, deps.clock, actor, { action: 'number.updated', targetId: numberId, data });
        }
        return show(deps, tx, actor, numberId);
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
  const carrier = input.carrier ?? 'simulated';
  const fault = numberFault(carrier, input.number);
  if (fault !== undefined) throw validationError([{ field: 'number', reason: fault }]);
  await lockNumberChoice(tx);
  const number = input.number ?? nextSimulatedNumber(await takenSimulatedNumbers(tx));
  if (number === undefined) {
    throw new AppError('INVALID_STATE', 'Every simulated number is taken: give one yourself');
  }
  const row = await insertNumber(tx, workspaceId, {
    id: deps.ids.next('pn'),
    number,
    carrier,
    agentId: input.agentId ?? null,
    maxConcurrentCalls: input.maxConcurrentCalls ?? NUMBER_LIMITS.defaultConcurrentCalls,
    now: deps.clock.now(),
  });
  if (!row) throw validationError([{ field: 'number', reason: 'is already in use' }]);
  return row;
}

async function show(deps: NumbersDeps, tx: Database, actor: Actor, numberId: string): Promise<PhoneNumber> {
  const row = await findNumberWithAgent(tx, actor.workspaceId, numberId);
  if (!row) throw notFound('Phone number');
  return shown(deps, row, await readCarrierStates(tx, deps.clock));
}

type FoundNumber = {
  number: NumberRow;
  agent: { id: string; name: string } | null;
  lastIn: LastCall | null;
  lastOut: LastCall | null;
};

const callShown = (call: LastCall | null) => call && { ...call, at: new Date(call.at).toISOString() };

type States = Awaited<ReturnType<typeof readCarrierStates>>;

function stateShown(states: States, { carrier }: NumberRow): PhoneNumber['carrierState'] {
  const found = states.get(carrier);
  return found ? { state: found.state, reason: found.reason, since: found.since.toISOString() } : null;
}

function shown({ env }: NumbersDeps, row: FoundNumber, states: States): PhoneNumber {
  return {
    id: row.number.id,
    number: row.number.number,
    carrier: row.number.carrier,
    agent: row.agent,
    maxConcurrentCalls: row.number.maxConcurrentCalls,
    isCarrierReady: isCarrierReady(env, row.number.carrier),
    carrierState: stateShown(states, row.number),
    lastIn: callShown(row.lastIn),
    lastOut: callShown(row.lastOut),
    createdAt: row.number.createdAt.toISOString(),
    updatedAt: row.number.updatedAt.toISOString(),
  };
}
