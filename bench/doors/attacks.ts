import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

// One attack, in a process of its own beside the one that measures: `attacks.ts NAME PORT KEY`. Runs until it is killed.
const [name = '', port = '', key = ''] = process.argv.slice(2);
const HOST = '127.0.0.1';
const SIGN_IN = '/api/auth/sign-in/email';
const agent = new Agent({ keepAlive: true });

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({
      host: HOST,
      port,
      path,
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    sent.on('response', (response) => response.resume().on('end', resolve).on('error', resolve));
    sent.on('error', () => setTimeout(resolve, 20));
    sent.end(body);
  });
}

async function forever(work: () => Promise<unknown>): Promise<void> {
  for (;;) await work();
}

const ATTACKS: Record<string, () => unknown> = {
  /** Two connections that post an array of 4 MB to the sign-in route, again and again. */
  arrays() {
    const body = JSON.stringify(Array(2_000_000).fill(0));
    for (let connection = 0; connection < 2; connection += 1) void forever(() => post(SIGN_IN, body));
  },
  /** 200 sockets that announce 4 MB, send most of it and stall; those that are closed come back. */
  stalls() {
    const part = Buffer.alloc(4_000_000, 48);
    const open = () => {
      const socket: Socket = connect(Number(port), HOST);
      socket.write(
        `POST ${SIGN_IN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4194304\r\n\r\n[`,
      );
      socket.write(part);
      socket.on('error', () => {});
      socket.on('close', () => setTimeout(open, 1_000));
    };
    for (let count = 0; count < 200; count += 1) open();
  },
  /** Thirty wrong passwords at once, for another account each time, again and again. */
  passwords() {
    let guess = 0;
    void forever(() =>
      Promise.all(
        Array.from({ length: 30 }, () => {
          guess += 1;
          return post(SIGN_IN, JSON.stringify({ email: `a${guess}@alpha.test`, password: 'wrong password' }));
        }),
      ),
    );
  },
  /** 330,000 bad variables in one outbound call, with a valid key. */
  variables() {
    const variables = Object.fromEntries(Array.from({ length: 330_000 }, (_, index) => [`v${index}`, 1]));
    const body = JSON.stringify({ from: '+15550100001', to: '+15550100002', variables });
    void forever(() => post('/api/outbound', body, { 'x-api-key': key }));
  },
  /** Eight connections that open the reference page again and again. */
  pages() {
    const view = () =>
      new Promise((resolve) => {
        const sent = request({ host: HOST, port, path: '/docs', agent, headers: { accept: 'text/html' } });
        sent.on('response', (response) => response.resume().on('end', resolve).on('error', resolve));
        sent.on('error', resolve).end();
      });
    for (let connection = 0; connection < 8; connection += 1) void forever(view);
  },
};

const attack = ATTACKS[name];
if (!attack) throw new Error(`no attack ${name}; there are ${Object.keys(ATTACKS).join(', ')}`);
attack();
