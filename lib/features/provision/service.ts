import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Database } from '#db/client.ts';
import { systemActor } from '#lib/auth/mint.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import type { Runtime } from '#lib/runtime.ts';
import {
  type ProvisionAgent,
  type ProvisionFile,
  provisionFileSchema,
  type ProvisionWorkspace,
} from './contract.ts';
import { prepareDemo } from './demo.ts';
import {
  agentIdsOf,
  attachKnowledgeBase,
  bringAgent,
  bringKey,
  bringKnowledgeBase,
  bringMember,
  bringNumber,
  bringPrompt,
  bringTag,
  bringWorkspace,
  findAgent,
  findPrompt,
  findWorkspace,
  isEmptyDatabase,
  lockProvisioning,
} from './repository.ts';

/** What the start tells the operator, and what is still to be done after it. */
export type Provisioned = {
  signIn: { email: string; password: string | undefined } | undefined;
  example: { apiKey: string; from: string; to: string; variables: Record<string, string> } | undefined;
  /** Holds the demo's conversations; undefined when there is nothing left to do. */
  runDemoCalls: (() => Promise<void>) | undefined;
};

/**
 * Applies `PROVISION_FILE`, or the demo workspace to an empty database (and finishes a demo that was interrupted).
 * Throws an Error whose message names every wrong field of the file.
 */
export async function provisionAtStart(runtime: Runtime): Promise<Provisioned> {
  const path = runtime.env.provisionFile;
  if (path !== undefined) {
    const file = parseProvisionFile(await readProvisionFile(path), path);
    await applyProvisionFile(runtime, file);
    return { signIn: signInOf(file), example: exampleOf(file), runDemoCalls: undefined };
  }
  const demo = await prepareDemo(runtime, await isEmptyDatabase(runtime.db));
  if (!demo) return { signIn: undefined, example: undefined, runDemoCalls: undefined };
  if (demo.file) await applyProvisionFile(runtime, parseProvisionFile(demo.file, 'db/seed/demo.json'));
  return demo;
}

async function readProvisionFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(
      `PROVISION_FILE: ${path} cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(
      `PROVISION_FILE: ${path} is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
}

export function parseProvisionFile(value: unknown, path: string): ProvisionFile {
  const result = provisionFileSchema.safeParse(value, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  });
  if (result.success) return result.data;
  const lines = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `  ${[...issue.path, key].join('.')}: is not a known field`)
      : [`  ${issue.path.join('.') || '(file)'}: ${issue.message}`],
  );
  throw new Error(`The provision file ${path} is not right.\n${lines.join('\n')}`);
}

/** Creates what is missing and updates what differs, workspace by workspace; deletes nothing. */
export async function applyProvisionFile(runtime: Runtime, file: ProvisionFile): Promise<void> {
  for (const [index, workspace] of file.workspaces.entries()) {
    const place = `workspaces.${index}`;
    try {
      await checkWebhook(runtime, workspace);
      const people = await preparePeople(runtime, workspace);
      const derive = await runtime.db.transaction(async (tx) => {
        await lockProvisioning(tx);
        return applyWorkspace(runtime, tx, workspace, people);
      });
      for (const { actor, agentId, promptIds } of derive)
        await runtime.agents.refreshDerived(actor, agentId, promptIds);
    } catch (error) {
      throw new Error(
        `The provision file could not be applied: ${place}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
}

async function checkWebhook(runtime: Runtime, workspace: ProvisionWorkspace): Promise<void> {
  const urls = [workspace.webhook?.url, ...workspace.agents.map((agent) => agent.postConversationWebhookUrl)];
  for (const url of urls) {
    if (!url) continue;
    const verdict = runtime.webhooks.checkUrlForm(url);
    if (!verdict.ok) throw new Error(`webhook URL ${url}: ${verdict.reason}`);
  }
}

type Person = { userId: string; role: ProvisionWorkspace['users'][number]['role'] };

/** Users live above workspaces, and hashing a password takes 50 ms: both come before the transaction. */
async function preparePeople(runtime: Runtime, workspace: ProvisionWorkspace): Promise<Person[]> {
  const people: Person[] = [];
  for (const user of workspace.users) {
    const existing = await runtime.auth.findUserByEmail(user.email);
    if (!existing) {
      // Nobody knows a random password: the account waits until an owner sets one.
      const password = user.password ?? randomBytes(24).toString('base64url');
      const made = await runtime.auth.createUser({
        email: user.email,
        name: user.name ?? user.email,
        password,
      });
      people.push({ userId: made.id, role: user.role });
      continue;
    }
    if (user.name && user.name !== existing.name) await runtime.auth.renameUser(existing.id, user.name);
    if (user.password && !(await runtime.auth.passwordMatches(existing.id, user.password))) {
      await runtime.auth.setPassword(existing.id, user.password);
    }
    people.push({ userId: existing.id, role: user.role });
  }
  return people;
}

type Derivation = { actor: Actor; agentId: string; promptIds: string[] };

async function applyWorkspace(
  runtime: Runtime,
  tx: Database,
  wanted: ProvisionWorkspace,
  people: Person[],
): Promise<Derivation[]> {
  const now = runtime.clock.now();
  const existing = await findWorkspace(tx, { id: wanted.id, name: wanted.name });
  const actor = systemActor(existing?.id ?? wanted.id ?? runtime.ids.next('ws'), 'provision file');
  const { workspaceId } = actor;
  const webhookSecret = wanted.webhook?.secret;
  await bringWorkspace(
    tx,
    existing,
    {
      id: workspaceId,
      name: wanted.name,
      rateCard: DEFAULT_RATE_CARD,
      createdAt: now,
      updatedAt: now,
      webhookSecret: webhookSecret ?? `whsec_${runtime.ids.secret(32)}`,
      webhookSecretChangedAt: now,
    },
    given({
      name: wanted.name,
      timeZone: wanted.timeZone,
      monthlyUsageLimitMinutes: wanted.monthlyUsageLimitMinutes,
      maxConcurrentCalls: wanted.maxConcurrentCalls,
      webhookUrl: wanted.webhook?.url,
      webhookSecret,
    }),
  );
  for (const person of people) await bringMember(tx, workspaceId, { ...person, now });
  for (const { name, key } of wanted.apiKeys) {
    const hash = createHash('sha256').update(key).digest('hex');
    await bringKey(tx, workspaceId, {
      id: runtime.ids.next('key'),
      name,
      hash,
      lastFour: key.slice(-4),
      now,
    });
  }
  for (const tag of wanted.customTags) await bringTag(tx, workspaceId, { ...tag, now });
  const derivations: Derivation[] = [];
  for (const agent of wanted.agents)
    derivations.push({ actor, ...(await applyAgent(runtime, tx, actor, agent)) });
  await applyNumbers(runtime, tx, actor, wanted);
  await applyKnowledge(runtime, tx, actor, wanted);
  return derivations;
}

async function applyAgent(runtime: Runtime, tx: Database, actor: Actor, wanted: ProvisionAgent) {
  const now = runtime.clock.now();
  const { workspaceId } = actor;
  const existing = await findAgent(tx, workspaceId, { id: wanted.id, name: wanted.name });
  const agentId = existing?.id ?? wanted.id ?? runtime.ids.next('agent');
  const { id: _id, outboundPrompts, phoneNumberId: _number, createdAt, updatedAt, ...fields } = wanted;
  const times = {
    createdAt: createdAt ? new Date(createdAt) : now,
    updatedAt: updatedAt ? new Date(updatedAt) : now,
  };
  const change = await bringAgent(
    tx,
    existing,
    { id: agentId, workspaceId, name: wanted.name, ...times },
    given(fields),
  );
  const promptIds: string[] = [];
  for (const [index, prompt] of outboundPrompts.entries()) {
    const found = await findPrompt(tx, workspaceId, agentId, { id: prompt.id, title: prompt.title });
    if (found && found.agentId !== agentId)
      throw new Error(`outbound prompt ${found.id} belongs to another agent already`);
    const promptId = found?.id ?? prompt.id ?? runtime.ids.next('prompt');
    const { id: _promptId, ...promptFields } = prompt;
    // The first prompt is the default one, and prompts are ordered by their time: keep the file's order.
    const createdAt = new Date(now.getTime() + index);
    const create = {
      id: promptId,
      workspaceId,
      agentId,
      title: prompt.title,
      instructions: prompt.instructions,
      createdAt,
      updatedAt: createdAt,
    };
    const promptChange = await bringPrompt(tx, found, create, given(promptFields));
    if (promptChange !== 'unchanged') promptIds.push(promptId);
  }
  return { agentId, promptIds: change === 'unchanged' && promptIds.length === 0 ? [] : promptIds };
}

async function applyNumbers(
  runtime: Runtime,
  tx: Database,
  actor: Actor,
  wanted: ProvisionWorkspace,
): Promise<void> {
  const now = runtime.clock.now();
  const known = await agentIdsOf(tx, actor.workspaceId);
  const claimed = new Map(
    wanted.agents.flatMap((agent) =>
      agent.phoneNumberId && agent.id ? [[agent.phoneNumberId, agent.id]] : [],
    ),
  );
  for (const number of wanted.phoneNumbers) {
    const agentId = number.agentId ?? (number.id ? claimed.get(number.id) : undefined);
    if (agentId && !known.has(agentId))
      throw new Error(`phoneNumbers: ${number.number}: agent ${agentId} is not in this workspace`);
    await bringNumber(
      tx,
      actor.workspaceId,
      {
        id: number.id ?? runtime.ids.next('pn'),
        workspaceId: actor.workspaceId,
        number: number.number,
        createdAt: now,
        updatedAt: now,
      },
      given({ agentId, carrier: number.carrier, maxConcurrentCalls: number.maxConcurrentCalls }),
    );
  }
}

async function applyKnowledge(
  runtime: Runtime,
  tx: Database,
  actor: Actor,
  wanted: ProvisionWorkspace,
): Promise<void> {
  const now = runtime.clock.now();
  const known = await agentIdsOf(tx, actor.workspaceId);
  for (const base of wanted.knowledgeBases) {
    const create = {
      id: base.id ?? runtime.ids.next('kb'),
      workspaceId: actor.workspaceId,
      name: base.name,
      description: base.description,
      embeddingModel: runtime.embedders.current.model,
      createdAt: now,
      updatedAt: now,
    };
    const { id } = await bringKnowledgeBase(tx, actor.workspaceId, create, {
      id: base.id,
      name: base.name,
      description: base.description,
    });
    for (const agentId of base.agentIds) {
      if (!known.has(agentId))
        throw new Error(`knowledgeBases: ${base.name}: agent ${agentId} is not in this workspace`);
      await attachKnowledgeBase(tx, actor.workspaceId, agentId, id);
    }
  }
}

/** Only what the file says; an absent field is no wish. */
function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function signInOf(file: ProvisionFile): Provisioned['signIn'] {
  const user = file.workspaces.flatMap((workspace) => workspace.users)[0];
  return user && { email: user.email, password: undefined };
}

function exampleOf(file: ProvisionFile): Provisioned['example'] {
  const workspace = file.workspaces.find((each) => each.apiKeys.length > 0 && each.phoneNumbers.length > 0);
  const from = workspace?.phoneNumbers.find((number) => number.agentId)?.number;
  // The key stands in the operator's own file; the start does not repeat it into a log.
  return from === undefined
    ? undefined
    : { apiKey: '$CALLWRIGHT_API_KEY', from, to: '+15550109901', variables: {} };
}
