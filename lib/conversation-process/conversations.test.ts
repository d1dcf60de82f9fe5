import { expect, it } from 'vitest';
import { createDeadLeg } from '#lib/adapters/carriers/sip/leg.ts';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { ControlEvent } from '#lib/ports/carrier.ts';
import { hearAnswer } from './conversations.ts';

it('an answer is told once, before whoever listens to the line hears of it, and every event goes on', async () => {
  const told: string[] = [];
  async function* events(): AsyncGenerator<ControlEvent> {
    yield { type: 'ringing', atMs: 0 };
    yield { type: 'answered', atMs: 10, by: 'unknown' };
    yield { type: 'hangup', atMs: 20, by: 'human' };
  }
  const control = createDeadLeg('att_1', createTestCallClock());
  const leg = hearAnswer({ ...control, events: events() }, () => told.push('answer told'));
  expect(leg.reference).toBe('att_1');
  for await (const event of leg.events) told.push(event.type);
  expect(told).toEqual(['ringing', 'answer told', 'answered', 'hangup']);
});
