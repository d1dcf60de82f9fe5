import { readFile } from 'node:fs/promises';
import { takeTurn } from '#db/scheduled-work.ts';
import type { Runtime } from '#lib/runtime.ts';
import { type ProvisionFile, provisionFileSchema } from './contract.ts';
import { applyProvisionFile } from './applying/file.ts';
import { prepareDemo } from './demo/prepare.ts';
import { isEmptyDatabase } from './repository.ts';

/** Where a process died while it made the demo, another one may after this long. */
const DEMO_WITHIN_MS = 60_000;

/** What the start tells the operator, and what is still to be done after it. */
export type Provisioned = {
  signIn: { email: string; password: string | undefined } | undefined;
  example: { apiKey: string; from: string; to: string; variables: Record<string, string> } | undefined;
  /** A number of the demo that a softphone can call. */
  phoneNumber: string | undefined;
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
    return {
      signIn: signInOf(file),
      example: exampleOf(file),
      phoneNumber: undefined,
      runDemoCalls: undefined,
    };
  }
  const isFirst = await isEmptyDatabase(runtime.db);
  // Of several processes that start at once one makes the demo, whose password lies in its folder.
  const isElsewhere = isFirst && !(await takeTurn(runtime.database, 'provision.demo', DEMO_WITHIN_MS));
  const demo = isElsewhere ? undefined : await prepareDemo(runtime, isFirst);
  if (!demo)
    return { signIn: undefined, example: undefined, phoneNumber: undefined, runDemoCalls: undefined };
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
