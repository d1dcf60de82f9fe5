import { describe, expect, it } from 'vitest';
import { readSinglePrompt } from '#lib/engine/prompt/single-prompt.ts';
import { singlePromptFrom } from './single-prompt-starter.ts';

describe('a single prompt made from separate texts', () => {
  it('renders to the same instructions, voice prompt and opening', () => {
    const rendered = readSinglePrompt(
      singlePromptFrom({
        opening: 'Hello {{name}}, this is Nora.',
        voicePrompt: '# Who you are\nNora.\n\n## How you sound\nCalm.',
        instructions: '# Task\n\nBook eye tests.\n\n## Rules\n- Be brief.',
      }),
    );
    expect(rendered.opening).toBe('Hello {{name}}, this is Nora.');
    expect(rendered.voicePrompt).toContain('## Who you are\nNora.\n\n### How you sound\nCalm.');
    expect(rendered.instructions).toContain('Book eye tests.');
    expect(rendered.instructions).toContain('## Rules\n- Be brief.');
    expect(rendered.instructions).not.toContain('Who you are');
  });

  it('leaves out the sections that there is no text for', () => {
    expect(singlePromptFrom({ opening: null, voicePrompt: ' ', instructions: null })).toBe(
      '# Instructions\n\n\n',
    );
  });
});
