import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { PUT as putResultFields } from '#app/api/agents/[agentId]/result-fields/route.ts';
import { POST as createChat } from '#app/api/agents/[agentId]/chats/route.ts';
import { POST as startSimulation } from '#app/api/agents/[agentId]/simulations/route.ts';
import { POST as createWebCall } from '#app/api/agents/[agentId]/web-calls/route.ts';
import { POST as sendChatMessage } from '#app/api/chats/[chatId]/messages/route.ts';
import { GET as getConversation } from '#app/api/conversation/[id]/route.ts';
import { POST as callMcp } from '#app/api/mcp/route.ts';
import { POST as queueOutboundCall } from '#app/api/outbound/route.ts';
import { agents } from '#db/schema/agents.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { parseProvisionFile, provisionAtStart } from '#lib/features/provision/service.ts';
import { scenarioForTest } from '#lib/features/simulations/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { startTestServer } from '../server/testing.ts';

/*
 * What the documents show is run as it stands, against a service with the demo's data. A block that cannot be run has a line
 * before it that says why: `<!-- not run: it needs a telephone -->`.
 */
const ROOT = new URL('..', import.meta.url).pathname;
const FILES = [
  'README.md',
  'clients/typescript/README.md',
  ...(await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const FENCED = /(?:^ *<!-- not run: (.+) -->\n)?^( *)```([a-z]+)\n([\s\S]*?)^ *```$/gm;

/** The demo is made, or types are checked, on a machine that is busy with other tests. */
const SLOW_MS = 180_000;

type Snippet = { at: string; language: string; text: string; reason: string | undefined };

const snippets: Snippet[] = [];
for (const file of FILES) {
  const page = await readFile(join(ROOT, file), 'utf8');
  for (const { 0: whole, 1: reason, 3: language = '', 4: text = '', index } of page.matchAll(FENCED)) {
    const line = page.slice(0, index).split('\n').length;
    if (whole) snippets.push({ at: `${file}:${line}`, language, text, reason });
  }
}
const inLanguage = (language: string) => snippets.filter((snippet) => snippet.language === language);
/** Those of a language, and which of them are to be run. */
const toRun = (language: string) => inLanguage(language).filter(({ reason }) => reason === undefined);
const textOf = (page: string, words: string) =>
  snippets.find(({ at, text }) => at.startsWith(page) && text.includes(words))?.text ?? '';

it('every block is in a language that is checked here, or says why it is not run', () => {
  const checked = new Set(['sh', 'ts', 'json', 'yaml', 'js']);
  const drawn = new Set(['mermaid', 'markdown']);
  const open = snippets.filter(
    ({ language, reason }) => !checked.has(language) && !drawn.has(language) && reason === undefined,
  );
  expect(open.map(({ at, language }) => `${at} ${language}`)).toEqual([]);
  expect(toRun('sh').length).toBeGreaterThanOrEqual(5);
  expect(inLanguage('ts').length).toBeGreaterThanOrEqual(4);
});

describe('commands', () => {
  let runtime: TestRuntime;
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let environment: Record<string, string>;

  beforeAll(async () => {
    runtime = await startTestRuntime({ worker: true });
    const { example } = await provisionAtStart(runtime);
    if (!example) throw new Error('The demo has no key');
    server = await startTestServer(runtime, {
      'POST /outbound': queueOutboundCall,
      'GET /conversation/{id}': getConversation,
      'POST /agents/{agentId}/chats': createChat,
      'POST /chats/{chatId}/messages': sendChatMessage,
      'POST /agents/{agentId}/simulations': startSimulation,
      'POST /agents/{agentId}/web-calls': createWebCall,
      'PUT /agents/{agentId}/result-fields': putResultFields,
      'POST /mcp': callMcp,
    });
    const [agent] = await runtime.db.select().from(agents).limit(1);
    if (!agent) throw new Error('The demo has no agent');
    const actor = systemActor(agent.workspaceId, 'the documents');
    const chat = await runtime.chats.create(actor, agent.id, {});
    await runtime.simulations.scenarios.create(actor, agent.id, scenarioForTest('Asks for the price'));
    environment = {
      PATH: process.env.PATH ?? '',
      CALLWRIGHT_API_KEY: example.apiKey,
      CALLWRIGHT_URL: server.url,
      AGENT_ID: agent.id,
      CHAT_ID: chat.conversationId,
    };
  }, SLOW_MS);
  afterAll(async () => {
    await server?.close();
    await runtime.close();
  });
  const here = (text: string) =>
    text.replaceAll(/https?:\/\/(localhost:3000|calls\.example\.com)/g, server.url);

  it.each(toRun('sh').map(({ at, text }) => [at, text]))('of %s are answered', async (_, text) => {
    const script = here(text).replaceAll(/^curl /gm, 'curl --fail-with-body --no-progress-meter ');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: environment as NodeJS.ProcessEnv,
    });
    expect(stdout).toMatch(/data/);
  });

  it('name no variable that a reader is not told of', async () => {
    const told = new Set(
      [...(await readFile(join(ROOT, '.env.example'), 'utf8')).matchAll(/^([A-Z_0-9]+)=/gm)].map(
        ([, name]) => name,
      ),
    );
    const known = (name: string) => told.has(name) || name in environment || OF_OTHERS.has(name);
    for (const { at, text } of inLanguage('sh')) {
      const named = text.matchAll(/\$\{?([A-Z][A-Z_0-9]+)|(?:^|\s)([A-Z][A-Z_0-9]+)=/gm);
      for (const [, used, set] of named) expect(known(used ?? set ?? ''), `${at}: ${used ?? set}`).toBe(true);
    }
  });

  it("the client's first program places a call and prints what was said", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callwright-snippets-'));
    const client = join(ROOT, 'clients/typescript/src/index.ts');
    const program = here(textOf('clients/typescript', 'randomUUID')).replace('callwright-client', client);
    await writeFile(join(folder, 'program.ts'), program);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.ts')], {
      env: environment as NodeJS.ProcessEnv,
    });
    await rm(folder, { recursive: true });
    expect(stdout).toMatch(/^Agent: /);
  });
});

/** What belongs to Docker, to git and to this command line. */
const OF_OTHERS = new Set(['POSTGRES_PASSWORD', 'S3_SECRET', 'COMMIT']);

it('the receiver in JavaScript knows a signature', async () => {
  const source = `${textOf('docs/webhooks.md', 'function isSigned')}\nexport { isSigned };`;
  const { isSigned } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    isSigned(body: string, signature: string | undefined, secret: string): boolean;
  };
  const signature = createHmac('sha256', 'whsec_1').update('{}').digest('hex');
  expect(isSigned('{}', signature, 'whsec_1')).toBe(true);
  expect(isSigned('{} ', signature, 'whsec_1')).toBe(false);
  expect(isSigned('{}', undefined, 'whsec_1')).toBe(false);
});

describe('data', () => {
  it.each(toRun('json').map(({ at, text }) => [at, text]))('of %s is JSON', (_, text) => {
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it.each(toRun('yaml').map(({ at, text }) => [at, text]))('of %s is YAML', (_, text) => {
    expect(parseYaml(text)).toBeTypeOf('object');
  });

  it('for the provision file fits it', () => {
    type Whole = { workspaces: [{ agents: [{ id: string }] }] };
    const whole = JSON.parse(textOf('docs/configuration.md', '"workspaces"')) as Whole;
    parseProvisionFile(whole, 'docs/configuration.md');
    const [workspace] = whole.workspaces;
    const of = (part: object) => ({ workspaces: [{ ...workspace, ...part }] });
    const { integrations } = JSON.parse(textOf('docs/integrations.md', '"integrations"')) as {
      integrations: [];
    };
    parseProvisionFile(of({ integrations }), 'docs/integrations.md');
    parseProvisionFile(
      of({ integrations: [JSON.parse(textOf('docs/integrations.md', '"calendar"'))] }),
      'a calendar',
    );
    for (const page of ['docs/sip.md', 'docs/twilio.md'])
      parseProvisionFile(of({ phoneNumbers: [JSON.parse(textOf(page, '"carrier"'))] }), page);
  });
});

it(
  "the client's programs have the types that it gives",
  () => {
    const bodies = inLanguage('ts').map(({ text }, index) => {
      const [imports, rest] = [text.match(/^import .*$/gm) ?? [], text.replaceAll(/^import .*$/gm, '')];
      const given = rest.includes('const callwright =') ? '' : 'callwright: Callwright, ';
      return {
        imports,
        body: `async function snippet${index}(${given}{ body, headers, secret, respond }: Given) {\n${rest}\n}`,
      };
    });
    const imports = new Set(
      bodies.flatMap((one) => one.imports.filter((line) => !line.includes('callwright-client'))),
    );
    const source = [
      ...imports,
      "import { Callwright, CallwrightError, everyItem, everyPage, readWebhook, SIGNATURE_HEADER } from './src/index.ts';",
      'type Given = { body: Uint8Array; headers: Record<string, string>; secret: string; respond(status: number): void };',
      ...bodies.map(({ body }) => body),
    ].join('\n');
    const file = join(ROOT, 'clients/typescript/snippets.ts');
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (path, ...more) =>
      path === file ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2022) : read(path, ...more);
    host.fileExists = (path) => path === file || ts.sys.fileExists(path);
    const program = ts.createProgram([file], options, host);
    const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  },
  SLOW_MS,
);
