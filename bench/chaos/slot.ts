/** The place of one worker: its folder, its port, and the process that runs there now, started again when it dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { armedFile, deathsFile } from './obey.ts';

const WORKER = new URL('./worker.ts', import.meta.url).pathname;
const LOOK_EVERY_MS = 20;

/** A turn that a journal had at the moment of a kill. */
export type KeptTurn = { callId: string; seq: number; text: string };

export type Slot = ReturnType<typeof createSlot>;

export function createSlot(options: {
  index: number;
  folder: string;
  env: Record<string, string>;
  /** Called with what lay in the journals when a process died. */
  onTurns: (turns: KeptTurn[]) => void;
}) {
  const { folder } = options;
  const dataDir = join(folder, 'data');
  const errors: string[] = [];
  const seenPids = new Set<number>();
  let running: ReturnType<typeof start> | undefined;

  function start() {
    const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WORKER], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...options.env,
        DATA_DIR: dataDir,
        CHAOS_FOLDER: folder,
        CHAOS_SLOT: String(options.index),
      },
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    let conversationPids: number[] = [];
    const working = new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (part: Buffer) => {
        for (const line of part.toString().split('\n')) {
          if (line === 'working') resolve();
          if (line.startsWith('processes'))
            conversationPids = line.split(' ').slice(1).filter(Boolean).map(Number);
          for (const pid of conversationPids) seenPids.add(pid);
          if (line.startsWith('{') && /"level":(?:50|60)/.test(line)) errors.push(line);
        }
      });
      void exited.then(() => reject(new Error('ended before it worked')));
    });
    working.catch(() => undefined);
    child.stderr?.on('data', (part: Buffer) => errors.push(part.toString()));
    return { child, exited, working, conversationPids: () => conversationPids };
  }

  async function keepTurns(): Promise<void> {
    options.onTurns(await readJournals(join(dataDir, 'conversations')));
  }

  /** Until it works; one that a fault ended on its way is started again. */
  async function bringUp(): Promise<void> {
    for (;;) {
      const started = (running = start());
      const isWorking = await started.working.then(
        () => true,
        () => false,
      );
      if (isWorking) return;
      await delay(200);
    }
  }

  async function deaths(): Promise<number[]> {
    const text = await readFile(deathsFile(folder), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => Number(line.split(' ')[1]));
  }

  return {
    index: options.index,
    folder,
    dataDir,
    errors,
    seenPids,
    bringUp,

    /** Ends a process of the worker at a point; false where none was passed in time. */
    async killAt(point: string, withinMs: number): Promise<boolean> {
      const before = (await deaths()).length;
      await writeFile(armedFile(folder), point);
      for (let waitedMs = 0; existsSync(armedFile(folder)); waitedMs += LOOK_EVERY_MS) {
        if (waitedMs >= withinMs) {
          await rm(armedFile(folder), { force: true });
          break;
        }
        await delay(LOOK_EVERY_MS);
      }
      await delay(LOOK_EVERY_MS);
      const died = await deaths();
      if (died.length === before) return false;
      await keepTurns();
      if (died.at(-1) === running?.child.pid) await this.again();
      return true;
    },

    async again(): Promise<void> {
      await running?.exited;
      await bringUp();
    },

    async killWorker(): Promise<void> {
      running?.child.kill('SIGKILL');
      await running?.exited;
      await keepTurns();
      await bringUp();
    },

    async killConversations(): Promise<boolean> {
      const [pid] = running?.conversationPids() ?? [];
      if (pid === undefined || !signal(pid, 'SIGKILL')) return false;
      await keepTurns();
      return true;
    },

    /** Forward by an hour, and back with the next one. */
    jumpClock(): void {
      for (const pid of [running?.child.pid, ...(running?.conversationPids() ?? [])])
        if (pid !== undefined) signal(pid, 'SIGUSR2');
    },

    hasEnded: () => running?.child.exitCode !== null || running.child.signalCode !== null,

    async stop(): Promise<void> {
      running?.child.kill('SIGTERM');
      await running?.exited;
    },
    prepare: () => mkdir(dataDir, { recursive: true }),
  };
}

/** False where the process is gone already. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Whole lines only: the last one may be cut off. */
async function readJournals(folder: string): Promise<KeptTurn[]> {
  const turns: KeptTurn[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.jsonl')) continue;
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(0, -1)) {
      const entry = JSON.parse(line) as { report?: { type: string; turn?: { seq: number; text: string } } };
      if (entry.report?.type === 'turn' && entry.report.turn)
        turns.push({
          callId: name.slice(0, -'.jsonl'.length),
          seq: entry.report.turn.seq,
          text: entry.report.turn.text,
        });
    }
  }
  return turns;
}
