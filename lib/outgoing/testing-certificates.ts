import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/**
 * A self-signed certificate made on the spot, so that tests need neither files that expire nor the openssl program.
 * DER by X.690, the certificate by RFC 5280.
 */
export function makeCertificate(given: {
  names: string[];
  addresses?: string[];
  validFrom: Date;
  validUntil: Date;
}): {
  key: string;
  cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    NAME,
    sequence(generalizedTime(given.validFrom), generalizedTime(given.validUntil)),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(subjectAlternativeNames(given.names, given.addresses ?? []))),
  );
  const signature = sign('sha256', tbs, privateKey as KeyObject);
  const der = sequence(tbs, ECDSA_WITH_SHA256, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const COMMON_NAME = objectId('550403');
const SUBJECT_ALTERNATIVE_NAME = objectId('551d11');
const NAME = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from('Callwright test')))));

function subjectAlternativeNames(names: string[], addresses: string[]): Buffer {
  const entries = [
    ...names.map((name) => tlv(0x82, Buffer.from(name))),
    ...addresses.map((address) => tlv(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  return sequence(SUBJECT_ALTERNATIVE_NAME, tlv(0x04, sequence(...entries)));
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value]);
}

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  return size < 0x100 ? Buffer.from([0x81, size]) : Buffer.from([0x82, size >> 8, size & 0xff]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function explicit(number: number, value: Buffer): Buffer {
  return tlv(0xa0 + number, value);
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.from([value]));
}

function objectId(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function generalizedTime(date: Date): Buffer {
  return tlv(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));
}
