import { connect, createServer, type Server, type Socket } from 'node:net';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { describeError, type Logger } from '#lib/log.ts';

const NAME = 'service.sock';
const PRIVATE_FOLDER = 0o700;
const CONNECT_WITHIN_MS = 2_000;

/** A system takes no longer path for a socket; one that is relative may be shorter. */
function socketPath(dataDir: string): string {
  const [whole, short] = [join(dataDir, NAME), join(relative(process.cwd(), dataDir), NAME)];
  return short.length < whole.length ? short : whole;
}

/** What the running service does for commands of its operator: each takes one text and answers with one. */
export type DoorOrders = Record<string, (argument: string) => Promise<string>>;

export type ServiceDoor = { serve(orders: DoorOrders): void; close(): Promise<void> };

/**
 * A socket in the folder of an embedded database, which nobody but the service's user may enter. It says that the database
 * is in use: a second process on the same folder would destroy it. And it takes orders of commands like `npm run backup`.
 * Throws where another process has it.
 */
export async function openServiceDoor(dataDir: string, log: Logger): Promise<ServiceDoor> {
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
  const path = socketPath(dataDir);
  const isOpen = await isInUse(dataDir).catch(() => false);
  if (isOpen) throw new Error(`Another process has the embedded database in ${dataDir} open: stop it first`);
  // What a killed process left.
  await rm(path, { force: true });
  let orders: DoorOrders = {};
  // Whoever gives an order has said all of it, and waits for the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => answer(socket, () => orders, log));
  // A file system without sockets, or a path too long for one: commands then refuse, and the service does without them.
  await listen(server, path).catch((error: unknown) =>
    log.warn({ event: 'no_service_door', path, error: describeError(error) }),
  );
  server.unref();
  return {
    serve(given) {
      orders = given;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Whether a running service has the embedded database of this folder open. */
export async function isInUse(dataDir: string): Promise<boolean> {
  const socket = await knock(dataDir);
  socket?.destroy();
  return socket !== undefined;
}

/** Gives the running service an order and waits for its answer. Throws where none runs, and what the service says went wrong. */
export async function orderFromService(dataDir: string, order: string, argument: string): Promise<string> {
  const socket = await knock(dataDir);
  if (!socket) throw new Error(`no service runs on ${dataDir}`);
  socket.end(`${JSON.stringify({ order, argument })}\n`);
  let text = '';
  for await (const part of socket) text += String(part);
  const told: { answer?: string; error?: string } = JSON.parse(text || '{"error":"the service ended"}');
  if (told.answer === undefined) throw new Error(told.error ?? 'the service gave no answer');
  return told.answer;
}

async function knock(dataDir: string): Promise<Socket | undefined> {
  const socket = connect(socketPath(dataDir));
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new Error('the service does not answer')),
      CONNECT_WITHIN_MS,
    );
    socket.once('connect', () => {
      clearTimeout(late);
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
  });
}

function answer(socket: Socket, orders: () => DoorOrders, log: Logger): void {
  // Whoever only looks whether somebody is there goes away without a word.
  socket.on('error', () => undefined);
  let isOrder = false;
  socket.on('end', () => {
    if (!isOrder) socket.end();
  });
  createInterface({ input: socket }).once('line', (line) => {
    isOrder = true;
    void (async () => {
      try {
        const { order, argument }: { order: string; argument: string } = JSON.parse(line);
        const work = orders()[order];
        if (!work)
          throw new Error(`the service does not know the order ${order}, or has only begun to start`);
        socket.end(JSON.stringify({ answer: await work(argument) }));
      } catch (error) {
        log.error({ event: 'order_failed', error: describeError(error) });
        socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
      }
    })();
  });
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
