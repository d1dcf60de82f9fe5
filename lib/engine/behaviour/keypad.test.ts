import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { de } from '../languages/de.ts';
import { tone } from '#lib/media/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openScene, prepareVoices, soundingMs, speechLike, type SceneOptions } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const transferNumber = parsePhoneNumber('+15550100099');
const open = (options: SceneOptions = {}) =>
  openScene({ hasNoTranscription: true, ...options, plan: { direction: 'INBOUND', ...options.plan } });

describe('a call that nothing can understand', () => {
  it('says so, says what a key does, and asks no question', async () => {
    const scene = await open();
    await scene.agentIsDone();
    expect(scene.said.map(({ text }) => text)).toEqual([
      'Hello Anna, this is Mia from Alpha Dental.',
      'I am sorry, but I cannot understand speech on this line.',
      'To leave a message, press 1.',
    ]);
    await scene.says('I would like to make an appointment for next Tuesday.');
    await scene.wait(3_000);
    expect(scene.asked).toEqual([]);
    expect(scene.lines().every((line) => line.startsWith('agent:'))).toBe(true);
  });

  it('takes a message after a tone, until the person is silent', async () => {
    const scene = await open();
    await scene.agentIsDone();
    scene.farEnd.press('1');
    await scene.agentSays('after the tone');
    await scene.agentIsDone();
    await scene.wait(900);
    await scene.says('I would like to make an appointment for next Tuesday.');
    const result = await scene.over();
    expect(result).toMatchObject({
      recordedMessage: 'left',
      endedBy: 'agent',
      endReason: 'The agent ended the call: a message was recorded.',
    });
    expect(scene.lines().slice(-3)).toEqual([
      'agent: Please speak after the tone, and press the hash key when you have finished.',
      'human: [recorded message]',
      'agent: Thank you. Your message has been recorded. Goodbye.',
    ]);
    const message = scene.sinks.turns.find(({ text }) => text === '[recorded message]');
    const [spoken] = soundingMs(result.humanSound, { gapMs: 500 });
    expect(spoken?.[0]).toBeGreaterThan(message?.startedMs ?? Number.NaN);
    expect(spoken?.[1]).toBeLessThan(message?.endedMs ?? Number.NaN);
    // The tone is on the agent's side of the recording, before the message.
    const tones = soundingMs(result.agentSound).filter(([from, to]) => to - from > 300 && to - from < 460);
    expect(tones.some(([, to]) => Math.abs(to - (message?.startedMs ?? 0)) < 200)).toBe(true);
  });

  it('ends the message at the hash key', async () => {
    const scene = await open();
    await scene.agentIsDone();
    scene.farEnd.press('1');
    await scene.agentSays('after the tone');
    await scene.agentIsDone();
    await scene.wait(900);
    await scene.says('I need an appointment.');
    scene.farEnd.press('#');
    await scene.agentSays('has been recorded');
    const [event] = scene.history('message_recorded');
    expect(event?.seconds).toBeLessThan(4);
    await scene.over();
  });

  it('keeps the message of a person who just hangs up', async () => {
    const scene = await open();
    await scene.agentIsDone();
    scene.farEnd.press('1');
    await scene.agentSays('after the tone');
    await scene.agentIsDone();
    await scene.wait(900);
    await scene.says('I need an appointment.');
    scene.farEnd.hangUp();
    expect(await scene.over()).toMatchObject({ recordedMessage: 'left', endedBy: 'human' });
    expect(scene.lines().at(-1)).toBe('human: [recorded message]');
  });

  it('thanks nobody for a message that was not left', async () => {
    const scene = await open();
    await scene.agentIsDone();
    scene.farEnd.press('1');
    const result = await scene.over();
    expect(result).toMatchObject({ recordedMessage: 'none', endedBy: 'agent' });
    expect(scene.lines().at(-1)).toBe('agent: Thank you for your time. Goodbye.');
    expect(scene.history('message_recorded')).toEqual([]);
  });

  it('puts the person through where that is set', async () => {
    const scene = await open({ plan: { transferNumber } });
    await scene.agentSays('press 2');
    scene.farEnd.press('2');
    expect(await scene.over()).toMatchObject({ transferredTo: transferNumber });
    expect(scene.farEnd.transfers).toHaveLength(1);
  });

  it('offers a message where nobody takes the call over', async () => {
    const scene = await open({
      plan: { transferNumber },
      transfer: async () => ({ ok: false, reason: 'busy' }),
    });
    await scene.agentSays('press 2');
    scene.farEnd.press('2');
    await scene.agentSays(/press 1/);
    await scene.agentIsDone();
    expect(scene.said.at(-1)?.text).not.toContain('press 2');
    scene.farEnd.press('1');
    await scene.agentSays('after the tone');
  });

  it('says again what a key does, and goodbye to a person who presses none', async () => {
    const scene = await open();
    const result = await scene.over();
    expect(scene.said.filter(({ text }) => text.includes('press 1'))).toHaveLength(3);
    expect(scene.lines().at(-1)).toContain('Goodbye');
    expect(result.endedBy).toBe('limit');
  });

  it('speaks the language of the agent', async () => {
    const scene = await open({ plan: { language: { code: 'de', lines: de } } });
    await scene.agentSays('drücken Sie die 1');
    scene.farEnd.press('1');
    await scene.agentSays('Raute-Taste');
  });

  it('is on hold while the person puts it aside, and begins again with what a key does', async () => {
    const scene = await open();
    await scene.agentIsDone();
    scene.farEnd.hold(true);
    await scene.wait(60_000);
    expect(scene.farEnd.isOver()).toBe(false);
    scene.farEnd.hold(false);
    await scene.agentSays('press 1');
  });

  it('leaves a message of its own after the beep where a machine answered', async () => {
    const scene = await open({ answeredBy: 'unknown', plan: { direction: 'OUTBOUND' } });
    scene.sounds(speechLike('Hello, you have reached Anna. Please leave a message after the tone.'));
    await scene.wait(6_000);
    scene.sounds(tone(500, { hz: 1_000, db: -15 }));
    const result = await scene.over();
    expect(result).toMatchObject({ voicemail: 'message_left', answeredBy: 'machine' });
    expect(result.recordedMessage).toBeUndefined();
    expect(scene.lines().at(-1)).toMatch(/^agent: Hello Anna.*call us back/);
  });
});
