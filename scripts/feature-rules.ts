import { GUESTS } from './feature-guests.ts';

/** What the `layers` check says about lib/features beyond imports: names of files, and whose a table is. Data first. */

/** What a file of a feature, or of a part of one, may be called. A test is called after what it tests or what it tells. */
const VOCABULARY = [
  'contract',
  'jobs',
  'loaders',
  'machine',
  'queries',
  'repository',
  'rules',
  'service',
  'testing',
];

/** Folders of pure modules with names of their own. None of them may hold a repository or a service. */
const MODULE_FOLDERS: Record<string, string> = {
  'calls/analyzer': 'what a transcript says, by rules and by a model; reads no table',
  'calls/live': 'tells open pages, of this process and of others, that a call changed and what is said on it',
  'integrations/calendar':
    'times of appointments as data, and CalDAV over the sender it is given; reads no table',
  'integrations/http': 'a request and its answer as data; sends nothing',
  'integrations/mcp': 'speaks MCP over the sender that it is given; reads no table',
  'integrations/openapi': 'reads a document into tools, in a thread of its own',
  'knowledge/parse': 'one module for each kind of file, and the child process they run in',
  'knowledge/split': 'cuts text into chunks; measured by itself in bench/',
  'prompts/preview': 'renders a draft with the code of a call',
  'campaigns/file': 'rows of a table of people, and what its columns are; reads no table of the database',
  'recordings/waveform': 'reads sound, knows no call',
};

/** Modules beside a service: a step of it that is long enough for a file and has a name of its own. */
const NAMED_MODULES: Record<string, { names: string[]; reason: string }> = {
  '': {
    names: ['ownership', 'base', 'confirmation'],
    reason: 'what every repository asks before a row leaves it, and every service before it replaces one',
  },
  'calls/admission': {
    names: ['target', 'waiting'],
    reason: 'which agent and prompt is meant, and until when it waits',
  },
  'calls/dispatch': { names: ['announcer', 'rotation'], reason: 'who hears of a call, and whose turn it is' },
  'calls/execution': {
    names: [
      'call-trace',
      'call-work',
      'ending',
      'interrupted',
      'live-call',
      'plan',
      'recovery',
      'retry',
      'runner',
      'wrap-up',
    ],
    reason: 'the phases of a call, one file each',
  },
  'calls/incoming': { names: ['carrier-door'], reason: 'how a carrier of the network brings a call' },
  'calls/watching': { names: ['telling'], reason: 'the end of the process that runs the call' },
  'conversations/listing': {
    names: ['conditions', 'facets', 'merged', 'results', 'review', 'windows', 'words'],
    reason: 'what a filter, a review and a search ask of a row, and the indexes that answer together',
  },
  'conversations/events': {
    names: ['cursor', 'feeds', 'live-words'],
    reason: 'how far a reader is, what is read once for all of them, and what is being said beside it',
  },
  campaigns: {
    names: ['campaign-work', 'shown'],
    reason: 'the parts of a campaign put together, and how it is shown to every caller alike',
  },
  chats: {
    names: ['answering', 'ending', 'plan', 'shown'],
    reason: 'the phases of a chat, and how it is shown',
  },
  'chats/widget': { names: ['limits', 'origins'], reason: 'how much visitors may ask, and from which pages' },
  integrations: {
    names: ['change', 'secrets', 'shown'],
    reason: 'what a change makes of one, what is sealed, and how it is shown',
  },
  'integrations/use': {
    names: ['book', 'calendar', 'free', 'health', 'refresh'],
    reason: 'what a use tells of it, and what a server is asked',
  },
  'knowledge/content': { names: ['binary-forms', 'rows'], reason: 'chunks, vectors and terms as rows' },
  'knowledge/documents': { names: ['multipart'], reason: 'reads an upload as it arrives' },
  'knowledge/embedding': {
    names: ['missing', 'vector-codes'],
    reason: 'which vectors lack, and their short form',
  },
  'knowledge/search': { names: ['spoken-text', 'word-matches'], reason: 'the keyword half of a search' },
  'publishing/drafts': {
    names: ['edit', 'edited', 'not-judged'],
    reason:
      'what a saved form makes of a draft, the state that it is then, and what its simulations left open',
  },
  'publishing/splits': { names: ['results'], reason: 'what versions came to, side by side; reads no table' },
  'provision/applying': {
    names: ['agent', 'file', 'given', 'items', 'people', 'relations'],
    reason: 'a provision file applied, a file for each part of it',
  },
  'provision/demo': {
    names: ['conversations', 'documents', 'prepare', 'script'],
    reason: 'what the demo workspace is filled with',
  },
  simulations: {
    names: ['shown', 'simulation-work'],
    reason: 'how a simulation is shown to every caller alike, and the parts put together',
  },
  'simulations/execution': {
    names: ['conversation'],
    reason: 'one conversation as data: who is played, and what is heard of it',
  },
  reviews: { names: ['review-parts'], reason: 'the parts of a review put together' },
  'webhooks/log': { names: ['export', 'snippets'], reason: 'the log as a file, and checks of a signature' },
  'webhooks/sending': { names: ['deliver', 'dispatcher'], reason: 'one send, and how many at once' },
};

/** Who owns a table: its feature writes and reads it, others ask the feature's repository. */
const TABLE_OWNERS: Record<string, string> = {
  accounts: 'auth',
  agentDrafts: 'publishing',
  agentSplits: 'publishing',
  agentVersions: 'versions',
  agentKnowledgeBases: 'knowledge',
  agents: 'agents',
  appointments: 'integrations',
  apiKeys: 'keys',
  auditEvents: 'audit',
  callAttempts: 'calls',
  callEvents: 'calls',
  transferAttempts: 'calls',
  callNotes: 'notes',
  callOrders: 'calls',
  callResults: 'agents',
  callRatings: 'reviews',
  callReviews: 'reviews',
  callShares: 'shares',
  callTagEdits: 'reviews',
  callTags: 'calls',
  callWatches: 'calls',
  calls: 'calls',
  campaignPeople: 'campaigns',
  campaigns: 'campaigns',
  carrierPacing: 'calls',
  chatWidgets: 'chats',
  chats: 'chats',
  chunkCodes: 'knowledge',
  chunkVectors: 'knowledge',
  chunks: 'knowledge',
  customTags: 'tags',
  dayFigures: 'overview',
  deletedCalls: 'calls',
  documents: 'knowledge',
  figureChanges: 'overview',
  figureDays: 'overview',
  idempotencyKeys: 'idempotency',
  installationSecrets: 'auth',
  integrations: 'integrations',
  knowledgeBases: 'knowledge',
  madeLanguages: 'languages',
  members: 'members',
  optOuts: 'opt-outs',
  outboundPrompts: 'prompts',
  carrierStates: 'numbers',
  phoneNumbers: 'numbers',
  provisionedItems: 'provision',
  savedViews: 'saved-views',
  scenarios: 'simulations',
  scheduledWork: 'queue',
  simulationResults: 'simulations',
  simulations: 'simulations',
  sessions: 'auth',
  signInAttempts: 'auth',
  termBlocks: 'knowledge',
  toolUses: 'calls',
  turns: 'calls',
  usageMonths: 'usage',
  users: 'auth',
  webCalls: 'calls',
  verifications: 'auth',
  webhookDeliveries: 'webhooks',
  workspaces: 'workspaces',
};

export type SourceFile = { path: string; text: string };

/** Everything that is wrong, one sentence each. `files` are the .ts files of lib/ and db/schema/, by path from the root. */
export function featureFaults(files: readonly SourceFile[]): string[] {
  const product = files.filter(({ path }) => !/\.test\.ts$|(^|\/)testing[^/]*\.ts$/.test(path));
  return [...nameFaults(files.map(({ path }) => path)), ...tableFaults(product), ...circleFaults(product)];
}

const FEATURE_FILE = /^lib\/features\/(?:(.+)\/)?([^/]+)\.ts$/;

function nameFaults(paths: readonly string[]): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  for (const path of paths) {
    const [, folder = '', name = ''] = FEATURE_FILE.exec(path) ?? [];
    if (name === '' || name.endsWith('.test') || name.startsWith('testing')) continue;
    const moduleFolder = Object.keys(MODULE_FOLDERS).find((each) => `${folder}/`.startsWith(`${each}/`));
    if (moduleFolder !== undefined) {
      used.add(moduleFolder);
      if (name === 'repository' || name === 'service')
        faults.push(`${path}: ${moduleFolder} is a folder of pure modules, so it holds no ${name}`);
    } else if (NAMED_MODULES[folder]?.names.includes(name)) used.add(`${folder}/${name}`);
    else if (folder === '' || !VOCABULARY.includes(name))
      faults.push(
        `${path}: a file of a feature is one of ${VOCABULARY.join(', ')}; other names are listed, with a reason, in scripts/feature-rules.ts`,
      );
  }
  const listed = [
    ...Object.keys(MODULE_FOLDERS),
    ...Object.entries(NAMED_MODULES).flatMap(([folder, { names }]) =>
      names.map((name) => `${folder}/${name}`),
    ),
  ];
  return [
    ...faults,
    ...listed.filter((each) => !used.has(each)).map((each) => `${each}: listed, but not there`),
  ];
}

/** The feature of a file: the folder below lib/features, or `auth`; undefined for what is neither. */
function featureOf(path: string): string | undefined {
  return path.startsWith('lib/auth/') ? 'auth' : /^lib\/features\/([^/]+)\//.exec(path)?.[1];
}

function tableFaults(files: readonly SourceFile[]): string[] {
  const names = sqlNames(files);
  const faults = Object.keys(names)
    .filter((table) => !TABLE_OWNERS[table])
    .map((table) => `${table}: a table belongs to one feature; say to which in scripts/feature-rules.ts`);
  const guestsSeen = new Set<string>();
  for (const { path, text } of files) {
    if (!path.startsWith('lib/')) continue;
    for (const table of tablesIn(text, names)) {
      const owner = TABLE_OWNERS[table];
      const isOwn = featureOf(path) === owner;
      if (isOwn && (owner === 'auth' || path.endsWith('/repository.ts'))) continue;
      if (GUESTS[path]?.tables.includes(table)) guestsSeen.add(`${path} ${table}`);
      else faults.push(`${path}: ${table} belongs to ${owner}, whose repository is to be asked`);
    }
  }
  const guests = Object.entries(GUESTS).flatMap(([path, { tables }]) =>
    tables.map((table) => `${path} ${table}`),
  );
  return [
    ...faults,
    ...guests
      .filter((each) => !guestsSeen.has(each))
      .map((each) => `${each}: listed as a guest, but not there`),
  ];
}

/** Names in SQL by the names of the constants. */
function sqlNames(files: readonly SourceFile[]): Record<string, string> {
  const schema = files.filter(({ path }) => path.startsWith('db/schema/'));
  const found = schema.flatMap(({ text }) => [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)]);
  return Object.fromEntries(found.map(([, constant = '', name = '']) => [constant, name]));
}

/** The tables that a file imports, and those that its SQL names. */
function tablesIn(text: string, names: Record<string, string>): string[] {
  const imported = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '#db\/schema\//g)].flatMap(
    ([, list = '']) => list.match(/\w+/g) ?? [],
  );
  // Without the tag it is a sentence of a comment.
  const named = text.includes('sql`') ? text.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g) : [];
  const inSql = [...named].map(([, name = '']) => name);
  return Object.entries(names)
    .filter(([constant, name]) => imported.includes(constant) || inSql.includes(name))
    .map(([constant]) => constant);
}

/** Features that import each other, directly or by way of others. Each of lib/features may import lib/auth. */
function circleFaults(files: readonly SourceFile[]): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const from = featureOf(path);
    if (from === undefined) continue;
    for (const [, to = ''] of text.matchAll(/from '#lib\/features\/([^/']+)\//g))
      if (to !== from) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  const reaches = (from: string, seen: Set<string>): Set<string> => {
    for (const next of arrows.get(from) ?? []) if (!seen.has(next)) reaches(next, seen.add(next));
    return seen;
  };
  const inCircle = [...arrows.keys()].filter((feature) => reaches(feature, new Set()).has(feature));
  return inCircle.length === 0 ? [] : [`Features that import each other: ${inCircle.join(', ')}`];
}
