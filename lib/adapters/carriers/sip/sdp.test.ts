import { describe, expect, it } from 'vitest';
import { readRemote, writeAnswer, writeOffer } from './sdp.ts';
import { OFFER, PEER } from './testing.ts';

const local = {
  address: { address: '192.0.2.10', port: 20_000 },
  sessionId: 7,
  version: 1,
  direction: 'sendrecv',
} as const;
const read = (body: string) => readRemote(body, { allowsEncryption: true });
const KEY = 'A'.repeat(40);

describe('an offer', () => {
  it('is read with what the peer wants most of what we can', () => {
    expect(read(OFFER)).toEqual({
      address: { address: PEER, port: 30_000 },
      rtcpPort: 30_001,
      coding: 'alaw',
      payloadType: 8,
      eventPayloadType: 101,
      direction: 'sendrecv',
      crypto: undefined,
    });
    expect(
      read(OFFER.replace('8 0 101', '111 96').concat('a=rtpmap:96 PCMU/8000\na=rtpmap:111 opus/48000/2\n')),
    ).toMatchObject({
      coding: 'mulaw',
      payloadType: 96,
      eventPayloadType: undefined,
    });
  });

  it('that holds the call says so in any of the ways', () => {
    expect(read(`${OFFER}a=sendonly\n`)?.direction).toBe('sendonly');
    expect(read(OFFER.replace('t=0 0', 't=0 0\na=inactive'))?.direction).toBe('inactive');
    expect(read(OFFER.replace(`c=IN IP4 ${PEER}`, 'c=IN IP4 0.0.0.0'))?.direction).toBe('sendonly');
  });

  it('of other codings, of no address or of nonsense is nothing for us', () => {
    for (const body of [
      '',
      'v=0',
      '\0\0\0',
      OFFER.replace('8 0 101', '9 18'),
      OFFER.replace('30000', '0'),
      OFFER.replace('audio', 'video'),
      OFFER.replaceAll(PEER, 'phone.example.com'),
      OFFER.replace('RTP/AVP', 'UDP/TLS/RTP/SAVPF'),
      OFFER.replace('RTP/AVP', 'RTP/SAVP'),
      `${OFFER}${'m=audio 1 RTP/AVP 0\n'.repeat(500)}`,
    ])
      expect(read(body)).toBeUndefined();
  });

  it('of several streams is answered stream by stream', () => {
    const offer = `${OFFER.replace('m=audio', 'm=video 5000 RTP/AVP 31\nm=audio')}m=image 6000 udptl t38\n`;
    const remote = read(offer)!;
    const media = writeAnswer(local, remote, offer)
      .split('\r\n')
      .filter((line) => line.startsWith('m='));
    expect(media).toEqual(['m=video 0 RTP/AVP 31', 'm=audio 20000 RTP/AVP 8 101', 'm=image 0 udptl t38']);
  });

  it('with a key is taken with the key, unless it is one that we cannot use', () => {
    const secure = (line: string) => read(`${OFFER.replace('RTP/AVP', 'RTP/SAVP')}a=crypto:${line}\n`);
    expect(secure(`1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^20`)?.crypto).toEqual({
      tag: 1,
      suite: 'AES_CM_128_HMAC_SHA1_80',
      key: KEY,
    });
    for (const line of [
      `1 F8_128_HMAC_SHA1_80 inline:${KEY}`,
      '1 AES_CM_128_HMAC_SHA1_80 inline:short',
      `1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|1:4`,
    ])
      expect(secure(line)).toBeUndefined();
  });
});

it('our own offer can be read', () => {
  expect(read(writeOffer(local))).toMatchObject({ coding: 'mulaw', payloadType: 0, eventPayloadType: 101 });
  const crypto = { tag: 1, suite: 'AES_CM_128_HMAC_SHA1_80', key: KEY } as const;
  expect(read(writeOffer({ ...local, crypto }))?.crypto).toEqual(crypto);
});
