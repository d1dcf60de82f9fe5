import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type TestServer = { url: string; stop(): Promise<void> };
/** One that this process started, so that it can be killed and started again as well. */
export type OwnServer = TestServer & { restart(): Promise<void> };

/**
 * A throwaway PostgreSQL server with pgvector for the race tests, or the reason why this machine has none.
 * `TEST_DATABASE_URL` names one that is already there. On Debian as root, what is missing is installed.
 */
export async function startPostgres(say: (line: string) => void): Promise<TestServer | { missing: string }> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, stop: async () => {} } : startOwnPostgres(say);
}

/** The same, never one that is there already. */
export async function startOwnPostgres(
  say: (line: string) => void,
): Promise<OwnServer | { missing: string }> {
  try {
    const binaries = (await findBinaries()) ?? (await installWithApt(say));
    if (!binaries) return { missing: 'no PostgreSQL server is installed' };
    if (!(await hasVector(binaries))) {
      say('Building pgvector for the installed PostgreSQL …');
      await buildVector(binaries);
    }
    return await startServer(binaries);
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split('\n')[0] ?? 'unknown') : String(error) };
  }
}

/** The folder of initdb and postgres, newest version first. */
async function findBinaries(): Promise<string | undefined> {
  const debian = await readdir('/usr/lib/postgresql').catch(() => []);
  const versions = debian
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a);
  const folders = [
    ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return folders.find((folder) => existsSync(`${folder}/initdb`) && existsSync(`${folder}/postgres`));
}

const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

async function installWithApt(say: (line: string) => void): Promise<string | undefined> {
  if (!canInstall()) return undefined;
  say('Installing PostgreSQL for the database tests …');
  await run('apt-get', ['update', '-q']);
  await run('apt-get', ['install', '-y', '-q', 'postgresql'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return findBinaries();
}

async function hasVector(binaries: string): Promise<boolean> {
  const { stdout } = await run(`${binaries}/pg_config`, ['--sharedir']).catch(() => ({ stdout: '' }));
  const share =
    stdout.trim() || binaries.replace('/lib/postgresql/', '/share/postgresql/').replace(/\/bin$/, '');
  return existsSync(`${share}/extension/vector.control`);
}

/** Debian 12 has no pgvector; the next release's source package builds against its PostgreSQL. */
async function buildVector(binaries: string): Promise<void> {
  if (!canInstall()) throw new Error('pgvector is not installed for this PostgreSQL');
  const version = /postgresql\/(\d+)\//.exec(binaries)?.[1];
  if (!version) throw new Error('pgvector can only be built for a PostgreSQL of Debian');
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-q']);
  const packaged = await run(
    'apt-get',
    ['install', '-y', '-q', `postgresql-${version}-pgvector`],
    quiet,
  ).then(
    () => true,
    () => false,
  );
  if (packaged) return;
  await run('apt-get', ['install', '-y', '-q', `postgresql-server-dev-${version}`, 'make', 'gcc'], quiet);
  const folder = await mkdtemp(join(tmpdir(), 'pgvector-'));
  await mkdir(`${folder}/lists/partial`, { recursive: true });
  await mkdir(`${folder}/parts`);
  await writeFile(
    `${folder}/parts/next.sources`,
    `Types: deb-src\nURIs: ${await debianMirror()}\nSuites: trixie\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`,
  );
  const own = [
    '-o',
    'Dir::Etc::sourcelist=/dev/null',
    '-o',
    `Dir::Etc::sourceparts=${folder}/parts`,
    '-o',
    `Dir::State::lists=${folder}/lists`,
  ];
  await run('apt-get', ['update', '-q', ...own]);
  await run('apt-get', ['source', '-q', '--download-only', ...own, 'pgvector'], { cwd: folder });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.orig.tar.gz'));
  if (!archive) throw new Error('the source package of pgvector holds no archive');
  await run('tar', ['xzf', archive, '--strip-components=1'], { cwd: folder });
  const config = `PG_CONFIG=${binaries}/pg_config`;
  await run('make', ['-j2', 'OPTFLAGS=', config], { cwd: folder, maxBuffer: 1 << 26 });
  await run('make', ['install', config], { cwd: folder });
  await rm(folder, { recursive: true, force: true });
}

/** The mirror this machine already uses. */
async function debianMirror(): Promise<string> {
  const files = [
    '/etc/apt/sources.list',
    ...(await readdir('/etc/apt/sources.list.d').catch(() => [])).map(
      (name) => `/etc/apt/sources.list.d/${name}`,
    ),
  ];
  for (const file of files) {
    const uri = /^(?:URIs: *|deb +(?:\[[^\]]*\] *)?)(https?:\S+\/debian)\/?(?:\s|$)/m.exec(
      await readFile(file, 'utf8').catch(() => ''),
    )?.[1];
    if (uri) return uri;
  }
  throw new Error('no Debian mirror is configured');
}

async function startServer(binaries: string): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-pg-'));
  const owner = await unprivilegedOwner();
  if (owner) await chown(folder, owner.uid, owner.gid);
  const identity = owner ?? {};
  await run(
    `${binaries}/initdb`,
    ['-D', `${folder}/data`, '-U', 'callwright', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    identity,
  );
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'full_page_writes=off', 'max_connections=300'];
  const args = ['-D', `${folder}/data`, '-p', String(port), '-k', folder];
  const start = async () => {
    const child = spawn(
      `${binaries}/postgres`,
      [...args, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...identity,
        stdio: 'ignore',
      },
    );
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await untilReady(`${binaries}/pg_isready`, port);
    return { child, exited };
  };
  let running = await start();
  return {
    url: `postgres://callwright@127.0.0.1:${port}/postgres`,
    async restart() {
      // At once and without a checkpoint: what it had not written is read from its log.
      running.child.kill('SIGQUIT');
      await running.exited;
      running = await start();
    },
    async stop() {
      running.child.kill('SIGINT');
      await running.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL and its poolers refuse to run as root; Debian's package brings a user for it. */
export async function unprivilegedOwner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = await readFile('/etc/passwd', 'utf8');
  const line = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(passwd);
  if (!line) throw new Error('no user to run PostgreSQL as');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}

async function untilReady(pgIsReady: string, port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const ready = await run(pgIsReady, ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error('PostgreSQL did not start within 30 s');
  }
}

// As a command: keeps a server running for a terminal, e.g. `TEST_DATABASE_URL=$(…)` in another one.
if (import.meta.main) {
  const server = await startPostgres((line) => console.error(line));
  if ('missing' in server) {
    console.error(`No PostgreSQL: ${server.missing}`);
    process.exit(1);
  }
  console.log(server.url);
  process.on('SIGINT', () => void server.stop().then(() => process.exit(0)));
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
}
