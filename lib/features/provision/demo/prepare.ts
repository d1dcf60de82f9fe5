import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Runtime } from '#lib/runtime.ts';
import { runDemoConversations } from './conversations.ts';
import { uploadDemoDocuments } from './documents.ts';

const FILE = new URL('../../../../db/seed/demo.json', import.meta.url).pathname;

/** The demo's number without an agent, as it is where telephones reach the service. */
const SPARE_NUMBER = { id: 'pn_spare', number: '+15550100003', agentId: 'agent_front_desk', carrier: 'sip' };

/** What only this installation knows: generated at the first start, so that no two installations share a password. */
type DemoSecrets = {
  email: string;
  password: string;
  apiKey: string;
  complete: boolean;
  /** A number of the demo that is called over SIP, where SIP was on at the first start. */
  phoneNumber?: string | undefined;
};

type Demo = {
  /** The provision file to apply; undefined once it was applied. */
  file: unknown;
  signIn: { email: string; password: string };
  example: { apiKey: string; from: string; to: string; variables: Record<string, string> };
  phoneNumber: string | undefined;
  runDemoCalls: (() => Promise<void>) | undefined;
};

/** The demo on an empty database, or what is left of it to tell and to do at a later start; undefined without a demo. */
export async function prepareDemo(runtime: Runtime, isEmpty: boolean): Promise<Demo | undefined> {
  const path = `${runtime.env.dataDir}/demo.json`;
  const known = isEmpty ? undefined : await readSecrets(path);
  if (!isEmpty && !known) return undefined;
  const secrets = known ?? {
    email: 'owner@demo.callwright.test',
    password: randomBytes(9).toString('base64url'),
    apiKey: `cw_demo_${randomBytes(24).toString('base64url')}`,
    complete: false,
    phoneNumber: runtime.env.sip && SPARE_NUMBER.number,
  };
  if (!known) await writeSecrets(path, secrets);
  return {
    file: known ? undefined : withSecrets(JSON.parse(await readFile(FILE, 'utf8')), secrets),
    signIn: { email: secrets.email, password: secrets.password },
    example: {
      apiKey: secrets.apiKey,
      from: '+15550100001',
      to: '+15550109901',
      variables: { name: 'Alex', months: '14' },
    },
    phoneNumber: secrets.phoneNumber,
    runDemoCalls: secrets.complete
      ? undefined
      : async () => {
          await uploadDemoDocuments(runtime);
          await runDemoConversations(runtime);
          await writeSecrets(path, { ...secrets, complete: true });
        },
  };
}

type DemoFile = {
  workspaces: {
    phoneNumbers: object[];
    users: { email: string; password?: string }[];
    apiKeys?: { name: string; key: string }[];
  }[];
};

function withSecrets(file: DemoFile, secrets: DemoSecrets): DemoFile {
  const [workspace] = file.workspaces;
  if (!workspace) throw new Error('the demo file has no workspace');
  // One password for all: each role can be looked at, and the start prints it.
  const users = workspace.users.map((user) => ({ ...user, password: secrets.password }));
  const phoneNumbers = secrets.phoneNumber
    ? workspace.phoneNumbers.map((number) =>
        'id' in number && number.id === SPARE_NUMBER.id ? SPARE_NUMBER : number,
      )
    : workspace.phoneNumbers;
  return {
    workspaces: [{ ...workspace, users, phoneNumbers, apiKeys: [{ name: 'Demo', key: secrets.apiKey }] }],
  };
}

async function readSecrets(path: string): Promise<DemoSecrets | undefined> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as DemoSecrets,
    () => undefined,
  );
}

async function writeSecrets(path: string, secrets: DemoSecrets): Promise<void> {
  await writeFile(path, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
}
