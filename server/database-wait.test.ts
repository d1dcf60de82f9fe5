/** @module-tag postgres */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { freePort } from '../scripts/postgres.ts';
import { waitForDatabase } from './database-wait.ts';
import { createMeanwhile, type Meanwhile } from './meanwhile.ts';

const given = process.env.TEST_DATABASE_URL;

type Line = { event: string; reason?: string };

function createLog() {
  const lines: Line[] = [];
  const log = pino(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(String(chunk)) as Line);
        done();
      },
    }),
  );
  return { lines, log };
}

function at(url: string, change: (url: URL) => void): string {
  const changed = new URL(url);
  change(changed);
  return changed.href;
}

async function waiting(databaseUrl: string | undefined) {
  return {
    databaseUrl,
    databaseDirectUrl: undefined,
    host: '127.0.0.1',
    port: await freePort(),
    role: 'web' as const,
  };
}

const nobody: Meanwhile = { show: async () => undefined, close: async () => undefined };

it('does not wait, nor listen, for an embedded database', async () => {
  const { lines, log } = createLog();
  await waitForDatabase(await waiting(undefined), log, nobody);
  expect(lines).toEqual([]);
});

describe.skipIf(given === undefined)('with a PostgreSQL server', () => {
  const url = given ?? '';

  /** The server, at a port where nobody answers until it is opened. */
  async function createDoor(port: number): Promise<{ open(): Promise<Server> }> {
    const { hostname, port: serverPort } = new URL(url);
    const pass = (socket: Socket) => {
      const onward = connect({ host: hostname, port: Number(serverPort) });
      socket.pipe(onward).pipe(socket);
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    };
    return {
      async open() {
        const server = createServer(pass);
        await once(server.listen(port, '127.0.0.1'), 'listening');
        return server;
      },
    };
  }

  it('waits for one that is away, lives and is not ready meanwhile, and frees its port afterwards', async () => {
    const doorPort = await freePort();
    const door = await createDoor(doorPort);
    const env = await waiting(at(url, (away) => (away.port = String(doorPort))));
    const { lines, log } = createLog();
    const asked: (number | object)[] = [];
    let opened: Server | undefined;
    const sleep = async () => {
      const origin = `http://127.0.0.1:${env.port}`;
      asked.push((await fetch(`${origin}/api/health`)).status);
      const ready = await fetch(`${origin}/api/ready`);
      asked.push(ready.status, (await ready.json()) as object, (await fetch(`${origin}/sign-in`)).status);
      opened = await door.open();
    };
    const meanwhile = createMeanwhile(env);
    await waitForDatabase(env, log, meanwhile, { sleep });
    await meanwhile.close();
    opened?.close();
    const error = { statusCode: 503, code: 'NOT_READY', details: { missing: ['database'] } };
    expect(asked).toEqual([200, 503, { error: expect.objectContaining(error) }, 503]);
    expect(lines.map(({ event }) => event)).toEqual(['database_away', 'database_there']);
    expect(lines[0]?.reason).toContain(`127.0.0.1`);
    const server = createServer();
    await once(server.listen(env.port, '127.0.0.1'), 'listening');
    expect((server.address() as AddressInfo).port).toBe(env.port);
    server.close();
  });

  it('ends with a sentence where the database or the user does not exist', async () => {
    const { log } = createLog();
    const noDatabase = await waiting(at(url, (one) => (one.pathname = '/no_such_one')));
    await expect(waitForDatabase(noDatabase, log, nobody)).rejects.toThrow(
      /^PostgreSQL at \S+ \(DATABASE_URL\) refuses the database "no_such_one": /,
    );
    const noUser = await waiting(
      at(url, (one) => Object.assign(one, { username: 'nobody', password: 'pa55word' })),
    );
    const failed = waitForDatabase(noUser, log, nobody);
    await expect(failed).rejects.toThrow(/refuses the login as "nobody"/);
    await expect(failed).rejects.not.toThrow(/pa55word/);
  });

  it('also waits for the server behind a pooler', async () => {
    const closed = await freePort();
    const env = { ...(await waiting(url)), databaseDirectUrl: at(url, (one) => (one.port = String(closed))) };
    const { lines, log } = createLog();
    const stop = new Error('enough');
    await expect(
      waitForDatabase(env, log, nobody, {
        sleep: async () => {
          throw stop;
        },
      }),
    ).rejects.toBe(stop);
    expect(lines[0]?.reason).toContain('DATABASE_DIRECT_URL');
  });
});
