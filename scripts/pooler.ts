import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, unprivilegedOwner } from './postgres.ts';

const run = promisify(execFile);
const BINARY = '/usr/sbin/pgbouncer';

export type TestPooler = { url: string; stop(): Promise<void> };

/**
 * A PgBouncer in transaction mode before the server of `databaseUrl`, with `serverConnections` to it, or the reason why this
 * machine has none. On Debian as root it is installed.
 */
export async function startPooler(
  databaseUrl: string,
  { serverConnections }: { serverConnections: number },
): Promise<TestPooler | { missing: string }> {
  const missing = await ensureInstalled();
  if (missing) return { missing };
  const server = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'callwright-pooler-'));
  const port = await freePort();
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 500',
    'admin_users = callwright',
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const owner = await unprivilegedOwner();
  if (owner) await chown(folder, owner.uid, owner.gid);
  const child = spawn(BINARY, [join(folder, 'pgbouncer.ini')], { ...owner, stdio: 'ignore' });
  const exited = once(child, 'exit');
  await untilOpen(port);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      child.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ensureInstalled(): Promise<string | undefined> {
  if (existsSync(BINARY)) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return 'pgbouncer is not installed';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['install', '-y', '-q', 'pgbouncer'], { env }).catch(() => undefined);
  return existsSync(BINARY) ? undefined : 'Debian’s package pgbouncer could not be installed';
}

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error('PgBouncer did not start within 5 s');
}
