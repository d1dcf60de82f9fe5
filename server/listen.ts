import type { Server } from 'node:http';

/** Resolves when the server listens. Throws a sentence for the operator where the port is taken. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken: stop what listens there or set PORT`)
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
}
