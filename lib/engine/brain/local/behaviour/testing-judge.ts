import { readdirSync, readFileSync } from 'node:fs';
import demo from '#db/seed/demo.json' with { type: 'json' };
import { agents } from '#db/schema/agents.ts';
import { createLocalBrain } from '#lib/engine/brain/local/local-brain.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { renderPrompt } from '#lib/engine/prompt/render.ts';
import { planForTest, silentLog, noWorkspaceTool } from '#lib/engine/testing.ts';
import { createToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import { type KnowledgeTest, startKnowledgeTest } from '#lib/features/knowledge/testing.ts';
import { type Conversation, readConversations, type Turn } from './read-conversations.ts';

const HERE = new URL('.', import.meta.url).pathname;
const SEED = new URL('../../../../../db/seed/documents/', import.meta.url).pathname;
/** A Monday, at ten in the morning in New York. */
const STARTED_AT = new Date('2026-03-02T15:00:00.000Z');

type Prompt = {
  direction: string;
  persona: string;
  prompt: string;
  opening?: string;
  variables?: Record<string, string>;
};
type Business = { name: string; documents: Record<string, string>; agents: Record<string, Prompt> };
type Heard = { turn: Turn; reply: string; tools: string[]; tookMs: number };

/** What came of the utterances of one set: all that was told, and what of it was wrong or absurd. */
export type Judgement = {
  count: number;
  told: string[];
  wrong: string[];
  absurd: string[];
  tookMs: number[];
};

/** The keyless agent among the businesses of this folder, with the real splitter, search and brain. */
export async function openJudge(): Promise<{
  judge(set: string): Promise<Judgement>;
  close(): Promise<void>;
}> {
  const test = await startKnowledgeTest();
  const businesses = readBusinesses(HERE);
  for (const [key, business] of Object.entries(businesses)) await addBusiness(test, key, business);
  return {
    async judge(set) {
      const conversations = readConversations(readFileSync(`${HERE}${set}.txt`, 'utf8'));
      const judgement: Judgement = { count: 0, told: [], wrong: [], absurd: [], tookMs: [] };
      for (const conversation of conversations) {
        const business = businesses[conversation.business];
        if (!business) throw new Error(`There is no ${conversation.business}`);
        for (const heard of await run(test, business, conversation))
          note(judgement, conversation, heard, business);
      }
      return judgement;
    },
    close: () => test.close(),
  };
}

function note(
  judgement: Judgement,
  { business: key, agent }: Conversation,
  heard: Heard,
  business: Business,
): void {
  const { turn, reply, tools, tookMs } = heard;
  const told = `${key}/${agent}: ${turn.says} → ${reply}`;
  const isRight = turn.accept.test(reply) && (turn.tool === undefined || tools.includes(turn.tool));
  const reason = absurdity(heard, business.documents);
  judgement.count += 1;
  judgement.told.push(told);
  judgement.tookMs.push(tookMs);
  if (!isRight) judgement.wrong.push(`${told} [${tools.join(', ')}]`);
  if (reason !== undefined) judgement.absurd.push(`${told}: ${reason}`);
}

function readBusinesses(folder: string): Record<string, Business> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const read = files.map((name): Record<string, Business> => JSON.parse(readFileSync(folder + name, 'utf8')));
  return Object.assign({ dental: demoBusiness() }, ...read);
}

/** The seeded demo's practice, as `db/seed` has it. */
function demoBusiness(): Business {
  const workspace = demo.workspaces[0];
  const prompts: [string, Prompt][] = (workspace?.agents ?? []).flatMap((agent, index) => [
    [
      agent.name.toLowerCase(),
      { direction: 'INBOUND', persona: ['Mia', 'Sam'][index] ?? '', prompt: agent.inboundPrompt },
    ],
    ...agent.outboundPrompts.map(({ id, instructions, opening, personaName }): [string, Prompt] => [
      id,
      { direction: 'OUTBOUND', persona: personaName, prompt: instructions, opening },
    ]),
  ]);
  const files = readdirSync(SEED).map((name) => [name, readFileSync(SEED + name, 'utf8')] as const);
  return {
    name: workspace?.name ?? '',
    documents: Object.fromEntries(files),
    agents: Object.fromEntries(prompts),
  };
}

async function addBusiness({ runtime, actor }: KnowledgeTest, key: string, { documents }: Business) {
  const now = runtime.clock.now();
  const id = agentOf(key);
  await runtime.db
    .insert(agents)
    .values({ id, workspaceId: actor.workspaceId, name: key, createdAt: now, updatedAt: now });
  const base = await runtime.knowledge.bases.create(actor, { name: key, description: key });
  await runtime.knowledge.bases.setOfAgent(actor, id, [base.id]);
  for (const [name, text] of Object.entries(documents))
    await runtime.knowledge.documents.add(actor, base.id, { name, body: Buffer.from(text) });
}

function agentOf(business: string): string {
  return `agent_${business}`;
}

function planOf(business: Business, prompt: Prompt, variables: Record<string, string>): CallPlan {
  const all = { ...prompt.variables, ...variables };
  const direction = prompt.direction === 'INBOUND' ? 'INBOUND' : 'OUTBOUND';
  const rendered = renderPrompt({
    direction,
    variables: all,
    workspaceName: business.name,
    agent: {
      name: 'Agent',
      inboundPrompt: prompt.prompt,
      inboundGreeting: null,
      inboundVoicePrompt: null,
      personaName: prompt.persona,
      businessName: business.name,
      voiceScope: null,
      voiceTone: 'calm',
      aiDisclosure: null,
      writtenCardFields: ['personaName', 'businessName'],
      hasLanguage: false,
      language: null,
      isMultilingual: false,
      hasEndCall: true,
      hasCallTransfer: true,
      hasAutoInboundTransfer: false,
      disabledToolNames: [],
    },
    outboundPrompt:
      direction === 'INBOUND'
        ? null
        : {
            title: 'Call',
            instructions: prompt.prompt,
            opening: prompt.opening ?? null,
            personaName: prompt.persona,
            businessName: business.name,
            scope: null,
            voicePrompt: null,
            writtenCardFields: ['opening', 'personaName', 'businessName'],
          },
  });
  const plan = planForTest({ direction, variables: all, hasKnowledge: true, timeZone: 'America/New_York' });
  return { ...plan, startedAt: STARTED_AT, prompt: rendered };
}

/** One conversation with the real brain, which looks things up in the real knowledge base. */
async function run(
  { runtime, actor }: KnowledgeTest,
  business: Business,
  conversation: Conversation,
): Promise<Heard[]> {
  const prompt = business.agents[conversation.agent];
  if (!prompt) throw new Error(`There is no ${conversation.business}/${conversation.agent}`);
  const plan = planOf(business, prompt, conversation.variables);
  const used: string[] = [];
  const tools = createToolExecutor({
    plan,
    now: () => STARTED_AT,
    searchKnowledge: (query) => runtime.knowledge.searchForCall(actor, agentOf(conversation.business), query),
    useWorkspaceTool: noWorkspaceTool,
    outcome: { appointment: null, callback: null },
    elapsedMs: () => 0,
    store: (use) => void used.push(use.name),
    log: silentLog,
  });
  const brain = createLocalBrain({ plan, tools });
  const heard: Heard[] = [];
  for (const turn of conversation.turns) {
    used.length = 0;
    const began = performance.now();
    const pieces: string[] = [];
    const useTool = (name: string, args: unknown) => tools.use(name, args, () => undefined);
    for await (const piece of brain.respond({
      heard: turn.says,
      signal: new AbortController().signal,
      useTool,
    }))
      pieces.push(piece);
    const tookMs = performance.now() - began;
    brain.noteAgentSaid(pieces.join(' '));
    heard.push({ turn, reply: pieces.join(' '), tools: [...used], tookMs });
  }
  return heard;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The sentences of a document by its section; headings by themselves. Read here in another way than the brain does. */
function readSections(documents: Record<string, string>) {
  const headings = new Set<string>();
  const facts: { section: string; sentence: string }[] = [];
  for (const [name, text] of Object.entries(documents)) {
    if (/\.(?:csv|json)$/.test(name)) continue;
    let section = '';
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      const isAlone = !lines[index - 1]?.trim() && !lines[index + 1]?.trim() && !/[.:!?]$/.test(line);
      const heading = line.match(/^#+ (.*)/)?.[1] ?? line.match(/^Q: (.*)/)?.[1];
      if (heading ?? (isAlone || /^[A-Z ]{4,}$/.test(line) ? line : undefined)) {
        section = heading ?? line;
        headings.add(plain(section));
        continue;
      }
      const sentences = line.replace(/^(?:A:|-) ?/, '').split(/(?<=[.!?])\s+/);
      const whole = sentences.filter((sentence) => sentence.split(' ').length >= 4);
      facts.push(...whole.map((sentence) => ({ section, sentence: plain(sentence) })));
    }
  }
  return { headings, facts };
}

/** Why a reply is absurd, whatever else it says; undefined where it is not. */
function absurdity({ turn, reply }: Heard, documents: Record<string, string>): string | undefined {
  const { headings, facts } = readSections(documents);
  for (const sentence of reply.split(/(?<=[.!?])\s+/))
    if (headings.has(plain(sentence))) return `speaks the heading "${sentence}"`;
  const spoken = plain(reply);
  const foreign = facts.find(
    ({ section, sentence }) =>
      section !== '' && sentence !== '' && spoken.includes(sentence) && !turn.sections.includes(section),
  );
  if (foreign) return `speaks a fact of "${foreign.section}"`;
  if (!turn.accept.test(reply) && /\bI am calling (?:to|about|because)\b/.test(reply))
    return 'reads out the purpose';
  return undefined;
}
