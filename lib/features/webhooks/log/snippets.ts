/** Where the example receiver of docs/examples/webhook-receiver listens. */
const EXAMPLE_RECEIVER = 'http://localhost:8787/';

type Signed = { body: Uint8Array; signature: string };

/**
 * Programs that check a stored signature when pasted into a terminal or a file. They carry the body as base64, because
 * one re-encoded character would change the signature, and read the secret from the environment variable
 * WEBHOOK_SECRET: what shows the secret is in the audit log, and looking at a delivery is not.
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

function shellSnippet({ signature }: Signed, body: string): string {
  const lines = body.match(/.{1,76}/g) ?? [];
  return [
    'SECRET="${WEBHOOK_SECRET:?set it to the secret of the workspace}"',
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

function nodeSnippet({ signature }: Signed, body: string): string {
  return [
    // Works pasted into the REPL, into .js, .cjs and .mjs, and after node -e alike.
    "const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');",
    'const secret = process.env.WEBHOOK_SECRET;',
    `const signature = Buffer.from('${signature}');`,
    `const body = Buffer.from('${body}', 'base64');`,
    "const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));",
    'const isValid = expected.length === signature.length && timingSafeEqual(expected, signature);',
    "console.log(isValid ? 'The signature is valid.' : 'The signature is NOT valid.');",
    '',
  ].join('\n');
}

function pythonSnippet({ signature }: Signed, body: string): string {
  return [
    'import base64, hashlib, hmac, os',
    'secret = os.environ["WEBHOOK_SECRET"]',
    `signature = "${signature}"`,
    `body = base64.b64decode("${body}")`,
    'expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()',
    'print("The signature is valid." if hmac.compare_digest(expected, signature) else "The signature is NOT valid.")',
    '',
  ].join('\n');
}

function phpSnippet({ signature }: Signed, body: string): string {
  return [
    '<?php',
    "$secret = getenv('WEBHOOK_SECRET');",
    `$signature = '${signature}';`,
    `$body = base64_decode('${body}');`,
    "$expected = hash_hmac('sha256', $body, $secret);",
    'echo hash_equals($expected, $signature) ? "The signature is valid.\\n" : "The signature is NOT valid.\\n";',
    '',
  ].join('\n');
}
