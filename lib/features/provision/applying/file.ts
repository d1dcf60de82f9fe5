import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { ProvisionFile, ProvisionWorkspace } from '../contract.ts';
import {
  agentsOf,
  attachKnowledgeBase,
  bringKey,
  bringKnowledgeBase,
  bringMember,
  bringNumber,
  bringTag,
  bringWorkspace,
  findWorkspace,
  lockProvisioning,
} from '../repository.ts';
import { applyAgent } from './agent.ts';
import { given } from './given.ts';

/** Creates what is missing and updates what differs, workspace by workspace; deletes nothing. */
export async function applyProvisionFile(runtime: Runtime, file: ProvisionFile): Promise<void> {
  for (const [index, workspace] of file.workspaces.entries()) {
    const place = `workspaces.${index}`;
    try {
      await checkWebhook(runtime, workspace);
      const people = await preparePeople(runtime, workspace);
      await runtime.db.transaction(async (tx) => {
        await lockProvisioning(tx);
        await applyWorkspace(runtime, tx, workspace, people);
      });
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

async function applyWorkspace(
  runtime: Runtime,
  tx: Database,
  wanted: ProvisionWorkspace,
  people: Person[],
): Promise<void> {
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
  for (const agent of wanted.agents) await applyAgent(runtime, tx, actor, agent, wanted.name);
  await applyNumbers(runtime, tx, actor, wanted);
  await applyKnowledge(runtime, tx, actor, wanted);
}

async function applyNumbers(
  runtime: Runtime,
  tx: Database,
  actor: Actor,
  wanted: ProvisionWorkspace,
): Promise<void> {
  const now = runtime.clock.now();
  const known = await agentsOf(tx, actor.workspaceId);
  const claimed = new Map(
    wanted.agents.flatMap((agent) =>
      agent.phoneNumberId && agent.id ? [[agent.phoneNumberId, agent.id]] : [],
    ),
  );
  for (const number of wanted.phoneNumbers) {
    const named = number.agentId ?? (number.id ? claimed.get(number.id) : undefined);
    if (named && !known.has(named))
      throw new Error(`phoneNumbers: ${number.number}: agent ${named} is not in this workspace`);
    const agentId = named && known.get(named)?.isDeleted ? undefined : named;
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
  const known = await agentsOf(tx, actor.workspaceId);
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
      if (!known.get(agentId)?.isDeleted) await attachKnowledgeBase(tx, actor.workspaceId, agentId, id);
    }
  }
}
