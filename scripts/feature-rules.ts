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
  'calls/live': 'tells open pages of one process that a call changed',
  'knowledge/parse': 'one module for each kind of file, and the child process they run in',
  'knowledge/split': 'cuts text into chunks; measured by itself in bench/',
  'prompts/preview': 'renders a draft with the code of a call',
  'recordings/waveform': 'reads sound, knows no call',
};

/** Modules beside a service: a step of it that is long enough for a file and has a name of its own. */
const NAMED_MODULES: Record<string, { names: string[]; reason: string }> = {
  '': { names: ['ownership'], reason: 'what every repository asks before a row leaves it' },
  'calls/admission': {
    names: ['target', 'waiting'],
    reason: 'which agent and prompt a request means, and until when it waits',
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
  'conversations/listing': { names: ['words'], reason: 'what a search asks of a row' },
  'conversations/events': { names: ['live-words'], reason: 'what is being said, beside what is stored' },
  chats: {
    names: ['answering', 'ending', 'plan', 'shown'],
    reason: 'the phases of a chat, one file each, and how it is shown',
  },
  'chats/widget': { names: ['limits', 'origins'], reason: 'how much visitors may ask, and from which pages' },
  'knowledge/content': {
    names: ['binary-forms', 'rows'],
    reason: 'how chunks, vectors and terms are written as rows',
  },
  'knowledge/documents': { names: ['multipart'], reason: 'reads an upload as it arrives' },
  'knowledge/embedding': {
    names: ['missing', 'vector-codes'],
    reason: 'which vectors lack, and their short form',
  },
  'knowledge/search': { names: ['spoken-text', 'word-matches'], reason: 'the keyword half of a search' },
  'provision/applying': {
    names: ['agent', 'file', 'given', 'items', 'people', 'relations'],
    reason: 'a provision file applied, a file for each part of it',
  },
  'provision/demo': {
    names: ['conversations', 'documents', 'prepare', 'script'],
    reason: 'what the demo workspace is filled with',
  },
  'webhooks/log': {
    names: ['export', 'snippets'],
    reason: 'the log as a file, and programs that check a signature',
  },
  'webhooks/sending': { names: ['deliver', 'dispatcher'], reason: 'one send, and how many at once' },
};

/** Who owns a table: its feature writes and reads it, others ask the feature's repository. */
const TABLE_OWNERS: Record<string, string> = {
  accounts: 'auth',
  agentKnowledgeBases: 'knowledge',
  agents: 'agents',
  apiKeys: 'keys',
  auditEvents: 'audit',
  callAttempts: 'calls',
  callEvents: 'calls',
  transferAttempts: 'calls',
  callNotes: 'notes',
  callOrders: 'calls',
  callTags: 'calls',
  calls: 'calls',
  carrierPacing: 'calls',
  chatWidgets: 'chats',
  chats: 'chats',
  chunkCodes: 'knowledge',
  chunkVectors: 'knowledge',
  chunks: 'knowledge',
  customTags: 'tags',
  documents: 'knowledge',
  idempotencyKeys: 'calls',
  installationSecrets: 'auth',
  knowledgeBases: 'knowledge',
  madeLanguages: 'languages',
  members: 'members',
  optOuts: 'opt-outs',
  outboundPrompts: 'prompts',
  carrierStates: 'numbers',
  phoneNumbers: 'numbers',
  provisionedItems: 'provision',
  scheduledWork: 'queue',
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

type Guest = { tables: string[]; reason: string };

/** Files that name tables of another feature, each with the reason why asking would be worse. Keep them few. */
const GUESTS: Record<string, Guest> = {
  'lib/auth/repository.ts': {
    tables: ['apiKeys', 'auditEvents', 'members', 'workspaces'],
    reason: 'authentication stands below the features: it finds out the workspace that they take as given',
  },
  'lib/features/agents/belongings/repository.ts': {
    tables: ['agentKnowledgeBases', 'calls', 'outboundPrompts', 'phoneNumbers'],
    reason: 'listed, copied and deleted with an agent; the owners know agents, so asking them were a circle',
  },
  'lib/features/calls/admission/repository.ts': {
    tables: ['agents', 'outboundPrompts', 'phoneNumbers', 'workspaces'],
    reason: 'a few columns by one statement each, on the way of every request for a call',
  },
  'lib/features/calls/dispatch/repository.ts': {
    tables: ['workspaces'],
    reason: 'one index look-up for each workspace, in one statement (docs/decisions/0120)',
  },
  'lib/features/calls/execution/repository.ts': {
    tables: ['agentKnowledgeBases', 'agents', 'chatWidgets', 'outboundPrompts', 'workspaces'],
    reason: 'all that a call runs with, as it was at one moment: one statement',
  },
  'lib/features/conversations/model-health/repository.ts': {
    tables: ['callEvents', 'calls'],
    reason: 'what calls told of the language model: the read side of calls; it writes nothing',
  },
  'lib/features/conversations/repository.ts': {
    tables: ['agents', 'callEvents', 'calls', 'outboundPrompts'],
    reason:
      'conversations are the read side of calls: lists with names, filters, details; they write nothing',
  },
  'lib/features/conversations/listing/repository.ts': { tables: ['callTags', 'calls'], reason: 'as above' },
  'lib/features/knowledge/bases/repository.ts': {
    tables: ['agents'],
    reason: 'every agent with whether it is attached: one join',
  },
  'lib/features/members/repository.ts': {
    tables: ['users'],
    reason: 'name and e-mail address of each member: one join',
  },
  'lib/features/numbers/repository.ts': {
    tables: ['agents', 'calls'],
    reason: "the name of each number's agent by one join; calls know numbers, so asking them were a circle",
  },
  'lib/features/provision/demo/repository.ts': {
    tables: ['callEvents', 'calls'],
    reason: "moves the demo's calls into the past, which nothing else may",
  },
  'lib/features/provision/repository.ts': {
    tables: [
      'agentKnowledgeBases',
      'agents',
      'apiKeys',
      'customTags',
      'knowledgeBases',
      'members',
      'outboundPrompts',
      'phoneNumbers',
      'workspaces',
    ],
    reason:
      'a provision file writes rows as they stand in it, in one way for all tables (docs/decisions/0085)',
  },
  'lib/features/recordings/repository.ts': {
    tables: ['auditEvents', 'calls', 'users'],
    reason: 'a signed link has no workspace to ask in; calls know recordings, so asking them were a circle',
  },
  'lib/features/search/repository.ts': {
    tables: ['agents', 'calls', 'knowledgeBases', 'outboundPrompts', 'phoneNumbers'],
    reason: 'one search over all nouns, which spells its conditions once',
  },
  'lib/features/status/repository.ts': {
    tables: ['calls', 'documents', 'phoneNumbers', 'webhookDeliveries'],
    reason: 'what is open everywhere, counted by one statement each time that figures are asked for',
  },
  'lib/features/usage/repository.ts': {
    tables: ['workspaces'],
    reason: 'the limit is checked where it is reserved: one statement (docs/decisions/0121)',
  },
  'lib/features/webhooks/repository.ts': {
    tables: ['agents', 'callEvents', 'calls', 'workspaces'],
    reason: "where a call's webhook goes, in the transaction that ends it; calls know webhooks",
  },
  'lib/features/webhooks/sending/repository.ts': {
    tables: ['callEvents', 'calls', 'workspaces'],
    reason: '200 sends a second: bodies by one join, a result and its event by one statement',
  },
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
