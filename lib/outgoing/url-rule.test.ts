import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWebhookUrl } from './address-rule.ts';
import { parseAllowlist } from './allowlist.ts';
import type { Resolvers } from './resolve.ts';
import { checkUrl, checkAddress } from './url-rule.ts';

/** Hosts that lead inside, in every spelling that some resolver, parser or filter was once fooled by. */
const HOSTILE_HOSTS = [
  // Loopback
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.1.', '0177.0.0.1', '0177.1', '0x7f.0.0.1', '0x7f.1', '0x7F000001', '0x7f000001.',
  '2130706433', '017700000001', '00000177.0.0.1', '127.255.255.254', '127.0.0.2', '127.000.000.001', '①②⑦.⓪.⓪.①', '１２７.０.０.１',
  '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '%31%32%37%2e0.0.1', '0x7f.0x0.0x0.0x1', '0', '0.0.0.0', '0x0', '00', '0.1.2.3',
  // Names of the machine and of private networks
  'localhost', 'LOCALHOST', 'localhost.', 'LocalHost.', 'loc%61lhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'api.localhost', 'a.b.localhost.', 'localhost.localdomain',
  'printer.local', 'metadata.google.internal', 'metadata.goog.internal.', 'host.docker.internal', 'db.internal', 'metadata', 'kubernetes',
  'intranet', 'router.lan', 'nas.home', 'wiki.corp', 'gateway.home.arpa', 'vault.private', 'wiki.intranet',
  // Private, link-local, metadata, shared
  '10.0.0.1', '10.255.255.255', '0xa.0.0.1', '012.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1',
  '3232235777', '0xc0.0xa8.1.1', '192.168.257', '169.254.169.254', '169.254.1', '2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376', '169.16689662', '100.64.0.1', '100.127.255.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', '192.0.0.170',
  // Documentation, benchmarks, multicast, reserved, broadcast
  '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255', '192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1',
  '255.255.255.255', '192.31.196.1', '192.52.193.1', '192.175.48.1',
  // IPv6
  '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  '[::FFFF:169.254.169.254]', '[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[::ffff:10.0.0.1]', '[0:0:0:0:0:ffff:c0a8:101]', '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]', '[64:ff9b:1::a00:1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[fdff::1]',
  '[ff02::1]', '[100::1]', '[2001::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]',
  '[2001:100::1]', '[2001:1ff:ffff::1]', '[2001:db8::1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2002:c0a8:101::1]', '[3fff::1]', '[3fff:fff::1]', '[5f00::1]', '[4000::1]',
  '[::ffff:8.8.8.8]', '[fe80::1%25eth0]', '[::1%251]',
  // Names that contain their address
  '127.0.0.1.nip.io', '10-0-0-1.sslip.io', '169.254.169.254.xip.io', 'app.localtest.me', 'lvh.me', '7f000001.c0a80001.rbndr.us',
]; // prettier-ignore

const HOSTILE_URLS = [
  'http://example.com/hook', 'HTTP://example.com', 'ftp://example.com', 'file:///etc/passwd', 'gopher://example.com', 'javascript:alert(1)',
  'data:text/plain,x', 'wss://example.com', 'https:example.com', 'https:///example.com', '//example.com', 'example.com/hook', 'https://', 'https://?x',
  'https://user@example.com/', 'https://user:pass@example.com/', 'https://@example.com/', 'https://:@example.com/', 'https://example.com@127.0.0.1/',
  'https://127.0.0.1\\@example.com/', 'https://example.com\\@127.0.0.1', 'https://exa\tmple.com/', 'https://example.com/\r\nX-Header: 1',
  'https://example.com/\n', ' https://example.com/', 'https://example.com/ ', 'https://exam\u00adple.com/', 'https://exam\u200bple.com/',
  'https://example.com/\u202e', 'https://example.com/\u0000', 'https://example.com:22/', 'https://example.com:25/', 'https://example.com:6379@127.0.0.1/',
  'https://example.com:6000/', 'https://example.com:5060/', 'https://example.com:10080/', 'https://example.com:0/', 'https://example.com:65536/',
  'https://example.com:-1/', 'https://exa mple.com/', 'https://a..b.example/', 'https://*.example.com/', 'https://-.example.com/', 'https://1.2.3.4.5/',
  'https://256.256.256.256/', 'https://1.2.3.4x5.6/%zz%', `https://${'a'.repeat(64)}.example/`, `https://example.com/${'a'.repeat(2048)}`, '',
]; // prettier-ignore

const GOOD_URLS = [
  'https://example.com/hook', 'https://example.com', 'https://hooks.example.com:8443/path?token=a%20b&x=1', 'HTTPS://Example.COM/Hook', 'https://example.com./hook',
  'https://bücher.example/hook', 'https://xn--bcher-kva.example/', 'https://a_b.example.org/', 'https://8.8.8.8/', 'https://1.1.1.1:444/x', 'https://[2606:4700::1111]/',
  'https://[2a00:1450:4001:81b::200e]:8443/', 'https://localhost.example.com/', 'https://internal.example.com/', 'https://10.example.com/', 'https://192.167.1.1/',
  'https://172.32.0.1/', 'https://100.128.0.1/', 'https://example.com/@user', 'https://example.com/?u=a@b', 'https://example.com/#part', 'https://example.co.uk/hook',
  'https://sub.domain.example.museum/hook', 'https://example.com:8080/',
]; // prettier-ignore

const nobody = parseAllowlist([]);
const resolving = (answers: Record<string, string[]>): Resolvers => {
  const ask = (name: string) =>
    answers[name]
      ? Promise.resolve(answers[name])
      : Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  return { dns: ask, system: ask };
};

describe('the rule for a URL', () => {
  it('is tried with more than 91 hostile hosts', () => {
    expect(new Set(HOSTILE_HOSTS).size).toBe(HOSTILE_HOSTS.length);
    expect(HOSTILE_HOSTS.length).toBeGreaterThan(91);
  });

  it.each(HOSTILE_HOSTS)('refuses the host %s', async (host) => {
    for (const url of [`https://${host}/hook`, `https://${host}:8443/`]) {
      expect(checkUrl(url, nobody)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
      expect(await checkWebhookUrl(url, { allowlist: [], resolvers: resolving({}) })).toMatchObject({
        ok: false,
      });
    }
  });

  it.each(HOSTILE_URLS)('refuses the URL %j', (url) => {
    expect(checkUrl(url, nobody)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  it.each(GOOD_URLS)('takes %s', async (url) => {
    expect(checkUrl(url, nobody)).toMatchObject({ ok: true, addresses: 'public' });
    expect(await checkWebhookUrl(url, { allowlist: [], resolvers: resolving({}) })).toMatchObject({
      ok: true,
    });
  });

  it('lets only public IPv4 addresses through, whatever their spelling', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, fc.integer({ min: 0, max: 4 }), (a, b, c, d, spelling) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const spellings = [
          `${a}.${b}.${c}.${d}`,
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `${a}.${b}.${c * 256 + d}.`,
        ];
        const decision = checkUrl(`https://${spellings[spelling]}/`, nobody);
        expect(decision.ok).toBe(checkAddress(`${a}.${b}.${c}.${d}`).ok);
        expect(checkUrl(`https://[::ffff:${a}.${b}.${c}.${d}]/`, nobody).ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string({ unit: 'binary' }).map((text) => `https://${text}`),
        ),
        (text) => {
          expect(typeof checkUrl(text, nobody).ok).toBe('boolean');
        },
      ),
    );
  });
});

describe('saving a URL', () => {
  it('refuses a name when any of its answers is bad', async () => {
    const resolvers = resolving({ 'hooks.example.com': ['93.184.215.14', '10.0.0.7'] });
    expect(await checkWebhookUrl('https://hooks.example.com/', { allowlist: [], resolvers })).toEqual({
      ok: false,
      reason:
        'hooks.example.com leads to an address that is refused: 10.0.0.7 is not a public address (private)',
    });
  });

  it('takes a public name that does not resolve yet', async () => {
    expect(
      await checkWebhookUrl('https://later.example.com/', { allowlist: [], resolvers: resolving({}) }),
    ).toMatchObject({ ok: true });
  });

  it.each([
    '::ffff:127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fe80::1',
    '0.0.0.0',
    'not-an-address',
  ])('refuses a name that leads to %s', async (answer) => {
    const resolvers = resolving({ 'hooks.example.com': [answer] });
    expect(await checkWebhookUrl('https://hooks.example.com/', { allowlist: [], resolvers })).toMatchObject({
      ok: false,
    });
  });
});

describe('the allowlist', () => {
  const check = (url: string, allowlist: string[], answers: Record<string, string[]> = {}) =>
    checkWebhookUrl(url, { allowlist, resolvers: resolving(answers) }).then((decision) => decision.ok);

  it('allows an address and its port over plain http, and no other port', async () => {
    expect(await check('http://127.0.0.1:9999/hook', ['127.0.0.1:9999'])).toBe(true);
    expect(await check('http://127.0.0.1:9998/hook', ['127.0.0.1:9999'])).toBe(false);
    expect(await check('https://127.0.0.1/', ['127.0.0.1:9999'])).toBe(false);
    expect(await check('http://[::1]:9999/', ['[::1]:9999'])).toBe(true);
    expect(await check('http://127.0.0.1:1234/', ['127.0.0.1'])).toBe(true);
  });

  it('allows ranges, for addresses and for names that resolve into them', async () => {
    expect(await check('http://10.1.2.3:8080/', ['10.0.0.0/8'])).toBe(true);
    expect(await check('http://11.1.2.3:8080/', ['10.0.0.0/8'])).toBe(false);
    expect(await check('http://receiver:8080/', ['10.0.0.0/8'], { receiver: ['10.4.4.4'] })).toBe(true);
    expect(
      await check('http://receiver:8080/', ['10.0.0.0/8'], { receiver: ['10.4.4.4', '192.168.1.1'] }),
    ).toBe(false);
    expect(await check('http://receiver:8080/', ['10.0.0.0/8'])).toBe(false);
    expect(await check('http://localhost:8080/', ['127.0.0.0/8'])).toBe(true);
    expect(await check('http://example.com/', ['10.0.0.0/8'], { 'example.com': ['93.184.215.14'] })).toBe(
      false,
    );
    expect(await check('https://example.com/', ['10.0.0.0/8'], { 'example.com': ['93.184.215.14'] })).toBe(
      true,
    );
  });

  it('allows a named host wherever it leads, and keeps the other rules', async () => {
    expect(await check('http://receiver:8080/', ['receiver:8080'], { receiver: ['192.168.1.1'] })).toBe(true);
    expect(await check('http://Receiver:8080/', ['RECEIVER'], { receiver: ['192.168.1.1'] })).toBe(true);
    expect(await check('http://receiver.:8080/', ['receiver'])).toBe(true);
    expect(await check('http://user@receiver:8080/', ['receiver'])).toBe(false);
    expect(await check('http://receiver:22/', ['receiver'])).toBe(false);
    expect(await check('http://receiver:22/', ['receiver:22'])).toBe(true);
    expect(await check('http://evil.receiver/', ['receiver'])).toBe(false);
    expect(await check('ftp://receiver/', ['receiver'])).toBe(false);
  });

  it.each(['10.0.0.0/99', 'http://receiver', 'receiver/path', 'a b', 'user@host', 'receiver:99999'])(
    'refuses the entry %s',
    (entry) => {
      expect(() => parseAllowlist([entry])).toThrow(entry);
    },
  );
});
