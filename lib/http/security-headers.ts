import { randomBytes } from 'node:crypto';

const PERMISSIONS = {
  accelerometer: '',
  autoplay: 'self',
  camera: '',
  'display-capture': '',
  geolocation: '',
  gyroscope: '',
  magnetometer: '',
  // Trying an agent by talking to it.
  microphone: 'self',
  midi: '',
  payment: '',
  'publickey-credentials-get': '',
  'screen-wake-lock': '',
  serial: '',
  usb: '',
} as const;

const YEAR_SECONDS = 31_536_000;

/**
 * Every security header of one answer. Pages get a policy with a fresh nonce: the server puts the same policy on the
 * request, where Next reads the nonce for its scripts. API answers are never documents, so their policy allows
 * nothing but playing a recording that was opened in a tab of its own.
 */
export function securityHeaders(options: {
  isApi: boolean;
  publicUrl: string;
  development: boolean;
  /** Of a page that a link shows to anybody: its address is the key to it. */
  isShared?: boolean;
  /** Of a page that is the same for everybody, whose inline parts are known: it takes no nonce then. */
  hashes?: { scripts: string[]; styles: string[] };
}): {
  headers: Record<string, string>;
  nonce: string | undefined;
} {
  const secure = options.publicUrl.startsWith('https://');
  const nonce = options.isApi || options.hashes ? undefined : randomBytes(16).toString('base64');
  const inline = options.hashes ?? { scripts: [`'nonce-${nonce}'`], styles: [`'nonce-${nonce}'`] };
  const policy = options.isApi
    ? apiPolicy()
    : pagePolicy({ inline, secure, development: options.development });
  return {
    nonce,
    headers: {
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // Addresses of the dashboard hold ids, and links to recordings hold signatures: other sites see neither.
      'referrer-policy': options.isShared ? 'no-referrer' : 'same-origin',
      ...(options.isShared ? { 'x-robots-tag': 'noindex, nofollow, noarchive' } : {}),
      'permissions-policy': Object.entries(PERMISSIONS)
        .map(([name, who]) => `${name}=(${who})`)
        .join(', '),
      'cross-origin-opener-policy': 'same-origin',
      ...(secure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
    },
  };
}

function apiPolicy(): string {
  return "default-src 'none'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

function pagePolicy(page: {
  inline: { scripts: string[]; styles: string[] };
  secure: boolean;
  development: boolean;
}): string {
  const directives: Record<string, string> = {
    'default-src': "'self'",
    // Development only: React rebuilds server stack traces with eval.
    'script-src': ["'self'", ...page.inline.scripts, ...(page.development ? ["'unsafe-eval'"] : [])].join(
      ' ',
    ),
    // Development only: the reloader inserts style elements that carry no nonce, and a nonce would switch
    // 'unsafe-inline' off.
    'style-src': page.development ? "'self' 'unsafe-inline'" : ["'self'", ...page.inline.styles].join(' '),
    // React's `style` attribute: it can move and colour things, not run anything.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self' data:",
    'media-src': "'self' blob:",
    'connect-src': page.development ? "'self' ws:" : "'self'",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'frame-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  const parts = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return [...parts, ...(page.secure ? ['upgrade-insecure-requests'] : [])].join('; ');
}
