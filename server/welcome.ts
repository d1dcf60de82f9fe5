import type { Env } from '#lib/env.ts';
import type { Provisioned } from '#lib/features/provision/service.ts';

/** What a person sees after the start: where to look, how to sign in, and one command that places a call. */
export function welcome(env: Env, provisioned: Provisioned): string {
  const { signIn, example, phoneNumber } = provisioned;
  const lines = ['', `  Callwright is running:  ${env.publicUrl}`, ''];
  if (signIn)
    lines.push(
      `  Sign in with            ${signIn.email}`,
      `  password                ${signIn.password ?? '(the one you chose)'}`,
      '',
    );
  if (signIn) lines.push(`  Talk to your agent      ${env.publicUrl}/talk`, '');
  if (phoneNumber !== undefined) lines.push(...softphoneLines(env, phoneNumber));
  if (example) {
    lines.push(
      '  Place a call (nobody is really dialled: the number is simulated):',
      '',
      `${indent(curlFor(env, example))}`,
      '',
    );
  }
  lines.push(`  API reference           ${env.publicUrl}/docs`, '', '');
  return lines.join('\n');
}

/** What to type into a softphone: everybody names these fields a little differently. */
function softphoneLines({ sip, openai }: Env, number: string): string[] {
  const endpoint = sip?.listen[0];
  if (!endpoint) return [];
  const { protocol, port } = endpoint;
  const address = endpoint.address === '0.0.0.0' ? '127.0.0.1' : endpoint.address;
  const host = address.includes(':') ? `[${address}]` : address;
  const transport = protocol === 'udp' ? '' : `;transport=${protocol}`;
  return [
    '  Call your agent with a softphone (no account, no password, no registration):',
    '',
    `    address to call       sip:${number}@${host}:${port}${transport}`,
    `    or user               ${number}`,
    `       domain             ${host}`,
    `       port               ${port} (${protocol.toUpperCase()})`,
    '',
    openai?.transcription
      ? '  The agent speaks and understands.'
      : '  No server transcribes (OPENAI_API_KEY or OPENAI_BASE_URL): the agent speaks, and takes a message by key.',
    '',
  ];
}

function curlFor(env: Env, example: NonNullable<Provisioned['example']>): string {
  const body = JSON.stringify({ from: example.from, to: example.to, variables: example.variables });
  // The shell ends a quoted text at an apostrophe.
  const quoted = `'${body.replaceAll("'", `'\\''`)}'`;
  return [
    `curl -X POST ${env.publicUrl}/api/outbound \\`,
    `  -H "x-api-key: ${example.apiKey}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted}`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
