import type { Env } from '#lib/env.ts';
import type { Provisioned } from '#lib/features/provision/service.ts';

/** What a person sees after the start: where to look, how to sign in, and one command that places a call. */
export function welcome(env: Env, provisioned: Provisioned): string {
  const { signIn, example } = provisioned;
  const lines = ['', `  Callwright is running:  ${env.publicUrl}`, ''];
  if (signIn)
    lines.push(
      `  Sign in with            ${signIn.email}`,
      `  password                ${signIn.password ?? '(the one you chose)'}`,
      '',
    );
  if (signIn) lines.push(`  Talk to your agent      ${env.publicUrl}/talk`, '');
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
