/** Where the example receiver of docs/examples/webhook-receiver listens. */
const EXAMPLE_RECEIVER = 'http://localhost:8787/';

type Signed = {
  body: Uint8Array;
  signature: string;
  /** undefined for people who may not see it: the program then reads WEBHOOK_SECRET from the environment. */
  secret: string | undefined;
};

/**
 * Programs that check a stored signature when pasted into a terminal or a file. They carry the body as base64, because
 * one re-encoded character would change the signature.
 */
export function verifySnippetsOf(signed: Signed): {
  curl: string;
  node: string;
  python: string;
  php: string;
} {
  const body = Buffer.from(signed.body).toString('base64');
  return {
    curl: shellSnippet(signed, body),
    node: nodeSnippet(signed, body),
    python: pythonSnippet(signed, body),
    php: phpSnippet(signed, body),
  };
}

function shellSnippet({ secret, signature }: Signed, body: string): string {
  const lines = body.match(/.{1,76}/g) ?? [];
  return [
    secret === undefined
      ? 'SECRET="${WEBHOOK_SECRET:?set it to the secret of the workspace}"'
      : `SECRET=${quoteShell(secret)}`,
    `SIGNATURE=${signature}`,
    `RECEIVER="\${RECEIVER:-${EXAMPLE_RECEIVER}}"`,
    "base64 -d > webhook-body.json <<'BODY'",
    ...lines,
    'BODY',
    `EXPECTED=$(openssl dgst -sha256 -hmac "$SECRET" -r webhook-body.json | cut -d ' ' -f 1)`,
    'if [ "$EXPECTED" = "$SIGNATURE" ]; then echo "The signature is valid."; else echo "The signature is NOT valid."; fi',
    '# The same request once more, for a receiver of your own (docs/examples/webhook-receiver is one).',
    'curl -sS -i --max-time 10 "$RECEIVER" -H "Content-Type: application/json" -H "X-Webhook-Signature: $SIGNATURE" \\',
    '  --data-binary @webhook-body.json || echo "No receiver answers at $RECEIVER; set RECEIVER to yours."',
    '',
  ].join('\n');
}

function nodeSnippet({ secret, signature }: Signed, body: string): string {
  return [
    // Works pasted into the REPL, into .js, .cjs and .mjs, and after node -e alike.
    "const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');",
    secret === undefined
      ? 'const secret = process.env.WEBHOOK_SECRET;'
      : `const secret = ${JSON.stringify(secret)};`,
    `const signature = Buffer.from('${signature}');`,
    `const body = Buffer.from('${body}', 'base64');`,
    "const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));",
    'const isValid = expected.length === signature.length && timingSafeEqual(expected, signature);',
    "console.log(isValid ? 'The signature is valid.' : 'The signature is NOT valid.');",
    '',
  ].join('\n');
}

function pythonSnippet({ secret, signature }: Signed, body: string): string {
  return [
    'import base64, hashlib, hmac, os',
    // JSON's escapes are Python's too.
    secret === undefined ? 'secret = os.environ["WEBHOOK_SECRET"]' : `secret = ${JSON.stringify(secret)}`,
    `signature = "${signature}"`,
    `body = base64.b64decode("${body}")`,
    'expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()',
    'print("The signature is valid." if hmac.compare_digest(expected, signature) else "The signature is NOT valid.")',
    '',
  ].join('\n');
}

function phpSnippet({ secret, signature }: Signed, body: string): string {
  return [
    '<?php',
    secret === undefined
      ? "$secret = getenv('WEBHOOK_SECRET');"
      : `$secret = '${secret.replace(/[\\']/g, '\\$&')}';`,
    `$signature = '${signature}';`,
    `$body = base64_decode('${body}');`,
    "$expected = hash_hmac('sha256', $body, $secret);",
    'echo hash_equals($expected, $signature) ? "The signature is valid.\\n" : "The signature is NOT valid.\\n";',
    '',
  ].join('\n');
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
