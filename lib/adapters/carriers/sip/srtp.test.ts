import { expect, it } from 'vitest';
import { createSrtpContext } from './srtp.ts';

const master = Buffer.from('e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6', 'hex');

function packet(sequence: number, payload = 'the quick brown fox', ssrc = 0xcafebabe): Buffer {
  const header = Buffer.alloc(12);
  header.set([0x80, 0]);
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(sequence * 160, 4);
  header.writeUInt32BE(ssrc, 8);
  return Buffer.concat([header, Buffer.from(payload)]);
}

it('makes the bytes that libsrtp makes', () => {
  // From its test driver: key and salt as above, sequence number 0x1234.
  const plain = Buffer.from('800f1234decafbadcafebabeabababababababababababababababab', 'hex');
  expect(createSrtpContext('AES_CM_128_HMAC_SHA1_80', master).protectRtp(plain).toString('hex')).toBe(
    '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
  );
});

it.each(['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const)(
  '%s is read by the other side, past 65,535 too',
  (suite) => {
    const [one, other] = [createSrtpContext(suite, master), createSrtpContext(suite, master)];
    for (const sequence of [65_533, 65_534, 65_535, 0, 1, 2]) {
      const plain = packet(sequence);
      const sealed = one.protectRtp(plain);
      expect(sealed.includes('quick')).toBe(false);
      expect(other.unprotectRtp(sealed)).toEqual(plain);
      // The same once more is somebody else's copy.
      expect(other.unprotectRtp(sealed)).toBeUndefined();
    }
    const report = Buffer.concat([Buffer.from('80c90001cafebabe', 'hex'), Buffer.from('reports')]);
    const sealed = one.protectRtcp(report);
    expect(other.unprotectRtcp(sealed)).toEqual(report);
    expect(other.unprotectRtcp(sealed)).toBeUndefined();
  },
);

it('takes nothing that was changed, cut or made with another key', () => {
  const sealed = createSrtpContext('AES_CM_128_HMAC_SHA1_80', master).protectRtp(packet(7));
  const context = createSrtpContext('AES_CM_128_HMAC_SHA1_80', master);
  for (const at of [1, 8, 15, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(context.unprotectRtp(changed)).toBeUndefined();
  }
  for (let length = 0; length < sealed.length; length += 1)
    expect(context.unprotectRtp(sealed.subarray(0, length))).toBeUndefined();
  expect(createSrtpContext('AES_CM_128_HMAC_SHA1_80', Buffer.alloc(30)).unprotectRtp(sealed)).toBeUndefined();
  expect(context.unprotectRtp(sealed)).toEqual(packet(7));
});
