import { describe, expect, it } from 'vitest';
import { deriveCardByRules } from '#lib/engine/prompt/card-rules.ts';
import { provisionedColumns as provisionedPrompt } from '#lib/features/prompts/rules.ts';
import type { PromptRow } from '#lib/features/prompts/repository.ts';
import type { AgentSettings } from './settings/contract.ts';
import type { AgentRow } from './repository.ts';
import { agentView, cardColumns, changeBySettings, copyName, provisionedColumns } from './rules.ts';
import { NO_RETRY } from '#lib/features/prompts/retry/rules.ts';

const AT = new Date('2026-03-02T09:00:00.000Z');
const AGENT: AgentRow = {
  deletedAt: null,
  versionId: null,
  id: 'agent_1',
  workspaceId: 'ws_1',
  name: 'Front desk',
  description: null,
  isActive: true,
  inboundPrompt: null,
  chatPrompt: null,
  hasCallTransfer: false,
  hasEndCall: true,
  transferCallerId: 'agent',
  transferMode: 'cold',
  hasAutoInboundTransfer: false,
  inboundTransferNumber: null,
  isMultilingual: false,
  hasBargeIn: true,
  hasPostConversationWebhook: false,
  postConversationWebhookUrl: null,
  hasHints: false,
  hints: null,
  hasLanguage: false,
  language: null,
  voiceId: null,
  personaName: null,
  businessName: null,
  inboundGreeting: null,
  voiceScope: null,
  voiceTone: null,
  aiDisclosure: null,
  voiceCardEdited: false,
  writtenCardFields: [],
  inboundVoicePrompt: null,
  inboundSinglePrompt: null,
  integrationIds: [],
  disabledToolNames: [],
  resultFields: [],
  createdAt: AT,
  updatedAt: AT,
};

const change = (agent: AgentRow, settings: AgentSettings) =>
  changeBySettings(agent, settings, 'Harbor Group');

describe('an agent of a provision file', () => {
  const wanted = { name: 'Front desk', inboundPrompt: 'You are Mia at Alpha Dental. Be calm.' };

  it('has its card derived where the file does not give it', () => {
    expect(
      provisionedColumns(undefined, { ...wanted, personaName: 'Zoe', businessName: null }, 'W'),
    ).toMatchObject({
      personaName: 'Zoe',
      businessName: 'Alpha Dental',
      voiceTone: 'calm',
    });
  });

  it('changes nothing the second time', () => {
    for (const fields of [
      wanted,
      { ...wanted, personaName: 'Zoe' },
      { name: 'x', inboundSinglePrompt: '# Opening\nHi.\n# Voice\nBe Zoe.\n# Task\nHelp.' },
    ]) {
      const stored: AgentRow = { ...AGENT, ...provisionedColumns(undefined, fields, 'W') };
      expect({ ...stored, ...provisionedColumns(stored, fields, 'W') }).toEqual(stored);
    }
  });

  it('has its card derived anew when the prompt in the file changes, unless it was edited', () => {
    const stored: AgentRow = { ...AGENT, ...provisionedColumns(undefined, wanted, 'W') };
    const changed = { ...wanted, inboundPrompt: 'You are Max at Orbit Labs.' };
    expect(provisionedColumns(stored, changed, 'W')).toMatchObject({ personaName: 'Max', voiceTone: null });
    expect(provisionedColumns({ ...stored, voiceCardEdited: true }, changed, 'W')).toEqual(changed);
  });

  it('is rendered from its single prompt, whatever else the file says of the texts', () => {
    const single = '# Opening\nAhoy.\n# Voice\nBe Zoe.\n# Instructions\nHelp.';
    expect(provisionedColumns(undefined, { ...wanted, inboundSinglePrompt: single }, 'W')).toMatchObject({
      inboundPrompt: 'Help.',
      inboundVoicePrompt: 'Opening: "Ahoy."\n\nBe Zoe.',
      inboundGreeting: 'Ahoy.',
    });
  });
});

it('an outbound prompt of a provision file gets its card the same way, and changes nothing the second time', () => {
  const wanted = { title: 'T', instructions: 'You are calling {{name}} about a visit.', opening: null };
  const owner = { ...AGENT, personaName: 'Mia' };
  const columns = provisionedPrompt(undefined, wanted, owner, 'W');
  expect(columns).toMatchObject({ opening: null, personaName: null, writtenCardFields: [] });
  const stored: PromptRow = {
    id: 'prompt_1',
    workspaceId: 'ws_1',
    agentId: 'agent_1',
    personaName: null,
    businessName: null,
    scope: null,
    voiceCardEdited: false,
    writtenCardFields: [],
    voicePrompt: null,
    singlePrompt: null,
    retry: NO_RETRY,
    createdAt: AT,
    updatedAt: AT,
    opening: null,
    title: columns.title ?? '',
    instructions: columns.instructions,
  };
  const full: PromptRow = { ...stored, opening: columns.opening ?? null, scope: columns.scope ?? null };
  expect({ ...full, ...provisionedPrompt(full, wanted, owner, 'W') }).toEqual(full);
});

it('a card field that changes counts as an edit, to null as well; what is sent back as it was does not', () => {
  expect(change(AGENT, { personaName: AGENT.personaName })).toEqual({});
  expect(change({ ...AGENT, personaName: 'Mia' }, { personaName: null })).toEqual({
    personaName: null,
    voiceCardEdited: true,
    writtenCardFields: ['personaName'],
  });
  expect(change(AGENT, { hasHints: true, inboundVoicePrompt: 'x' })).toEqual({
    hasHints: true,
    inboundVoicePrompt: 'x',
  });
});

it('what is stored already may be sent back while a single prompt is set', () => {
  const agent = { ...AGENT, inboundSinglePrompt: '# Voice\nBe Zoe.', inboundVoicePrompt: 'Be Zoe.' };
  expect(change(agent, { inboundVoicePrompt: 'Be Zoe.' })).toEqual({
    inboundVoicePrompt: 'Be Zoe.',
  });
  expect(() => change(agent, { inboundVoicePrompt: 'Be Max.' })).toThrow(/single prompt/);
});

it('the name of a copy fits its bound', () => {
  expect(copyName('x'.repeat(120))).toHaveLength(120);
});

describe('the lines of a card that nobody wrote by hand follow its names', () => {
  const inboundPrompt =
    'You are Mia, the receptionist at Alpha Dental. Greet with "Alpha Dental, this is Mia." You help callers of Alpha Dental. If asked whether you are a robot, say "I am Mia, an AI."';
  const derived: AgentRow = { ...AGENT, inboundPrompt, ...cardColumns(deriveCardByRules(inboundPrompt)) };

  it('to a new persona and a new business, again and again', () => {
    const renamed = { ...derived, ...change(derived, { personaName: 'Lea' }) };
    const again = { ...renamed, ...change(renamed, { personaName: 'Mia Alpha', businessName: 'Delta' }) };
    const lines = [renamed, again].map((row) => [row.inboundGreeting, row.voiceScope, row.aiDisclosure]);
    expect(lines).toEqual([
      ['Alpha Dental, this is Lea.', 'You help callers of Alpha Dental.', 'I am Lea, an AI.'],
      ['Delta, this is Mia Alpha.', 'You help callers of Delta.', 'I am Mia Alpha, an AI.'],
    ]);
    expect(again.writtenCardFields).toEqual(['personaName', 'businessName']);
  });

  it('but what was written by hand stays as it is', () => {
    const written = { ...derived, ...change(derived, { inboundGreeting: 'Mia here.' }) };
    const renamed = { ...written, ...change(written, { personaName: 'Lea' }) };
    expect(renamed.inboundGreeting).toBe('Mia here.');
    expect(renamed.aiDisclosure).toBe('I am Lea, an AI.');
    expect(change(renamed, { inboundGreeting: null, aiDisclosure: 'No.' })).toMatchObject({
      inboundGreeting: null,
      aiDisclosure: 'No.',
    });
  });

  it('without a name of its own the line goes back to what the prompt says', () => {
    const renamed = { ...derived, ...change(derived, { personaName: 'Lea' }) };
    const cleared = { ...renamed, ...change(renamed, { personaName: null }) };
    expect(cleared.inboundGreeting).toBe('Alpha Dental, this is Mia.');
    const nameless = { ...cleared, inboundPrompt: 'Answer the phone.' };
    expect(agentView(nameless, null, 'W').inboundGreeting).toBe('Alpha Dental, this is Mia.');
  });

  it('and are answered as they would be said, so that sending them back is no edit', () => {
    const row: AgentRow = { ...AGENT, inboundPrompt: 'You are Mia.', personaName: 'Mia' };
    const shown = agentView(row, null, 'Harbor Group').inboundGreeting;
    expect(shown).toBe('Hello, this is Mia from Harbor Group. How can I help you today?');
    expect(change(row, { inboundGreeting: shown, personaName: 'Mia' })).toEqual({});
    expect(change(row, { inboundGreeting: shown, personaName: 'Lea' })).toEqual({
      personaName: 'Lea',
      voiceCardEdited: true,
      writtenCardFields: ['personaName'],
    });
  });
});
