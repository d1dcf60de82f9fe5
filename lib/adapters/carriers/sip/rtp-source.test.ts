import { describe, expect, it } from 'vitest';
import { createRtpSource } from './rtp-source.ts';

const SAID = { address: '198.51.100.7', port: 40_000 };
const PEER = '203.0.113.5';
const STRANGER = { address: '192.0.2.66', port: 40_000 };

function source({ isEncrypted = false, said = SAID } = {}) {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, sleep: () => Promise.reject(new Error('nobody sleeps here')) };
  const own = createRtpSource(clock);
  own.signalled({
    remote: { address: said, rtcpPort: said.port + 1 },
    signalledBy: PEER,
    isEncrypted,
  });
  /** As many packets, 20 ms apart, and whether each was taken. */
  const send = (from: { address: string; port: number }, packets: number) =>
    Array.from({ length: packets }, () => {
      nowMs += 20;
      return own.accepts(from);
    });
  const pass = (ms: number) => (nowMs += ms);
  return { own, send, pass };
}

describe('where the sound of a call comes from', () => {
  it('takes the first packet from where the SDP said', () => {
    const { own, send } = source();
    expect(own.target()).toEqual(SAID);
    expect(send(SAID, 2)).toEqual([true, true]);
  });

  it('never hears a third address, however silent the far end is, and sends nothing there', () => {
    const { own, send, pass } = source();
    send(SAID, 10);
    pass(60_000);
    expect(send(STRANGER, 500)).not.toContain(true);
    expect(own.target()).toMatchObject(SAID);
    expect(own.acceptsRtcp(STRANGER)).toBe(false);
    expect(send(SAID, 1)).toEqual([true]);
  });

  it('never hears a third address before the far end has sent anything either', () => {
    const { own, send } = source();
    expect(send(STRANGER, 500)).not.toContain(true);
    expect(own.target()).toEqual(SAID);
  });

  it('learns the port that a NAT gave after some packets in a row, from the address in the SDP or that which signals', () => {
    for (const address of [SAID.address, PEER]) {
      const { own, send } = source();
      expect(send({ address, port: 51_000 }, 6)).toEqual([false, false, false, false, true, true]);
      expect(own.target()).toMatchObject({ address, port: 51_000 });
    }
  });

  it('does not learn from packets that were thrown in between those of the far end', () => {
    const { own, send, pass } = source();
    const thrownIn = { address: PEER, port: 60_000 };
    for (let round = 0; round < 20; round += 1) {
      expect(send(SAID, 1)).toEqual([true]);
      pass(1_200);
      expect(send(thrownIn, 2)).toEqual([false, false]);
    }
    expect(own.target()).toMatchObject(SAID);
  });

  it('goes where a new agreement says', () => {
    const { own, send } = source();
    send(SAID, 5);
    const moved = { address: '198.51.100.9', port: 42_000 };
    own.signalled({ remote: { address: moved, rtcpPort: 42_001 }, signalledBy: PEER, isEncrypted: false });
    expect(own.target()).toEqual(moved);
    expect(send(SAID, 10)).not.toContain(true);
    expect(send(moved, 1)).toEqual([true]);
  });

  it('takes packets that carry the keys of the call from wherever they come', () => {
    const { send } = source({ isEncrypted: true });
    expect(send(STRANGER, 6).at(-1)).toBe(true);
  });

  it('knows an address however it is written', () => {
    const { send } = source({ said: { address: '2001:db8:0:0::7', port: 40_000 } });
    expect(send({ address: '2001:db8::7', port: 40_000 }, 6).at(-1)).toBe(true);
    expect(source().send({ address: '::ffff:198.51.100.7', port: 40_000 }, 6).at(-1)).toBe(true);
  });
});
