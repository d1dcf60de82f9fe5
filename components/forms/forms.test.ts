import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { curlText, shellQuote } from './curl-text.ts';
import { blankToNull, maxCharacters } from './text-limits.ts';

const renameThing = defineOperation({
  id: 'renameThing',
  method: 'PUT',
  path: '/things/{thingId}',
  scope: 'workspace',
  tag: 'Things',
  summary: 'Rename',
  params: z.object({ thingId: z.string() }),
  body: z.object({
    name: z.string().max(120).nullable().optional(),
    note: z.string().optional(),
    tone: z
      .string()
      .max(9)
      .nullable()
      .transform((tone) => tone ?? 'calm')
      .optional(),
  }),
  status: 200,
});

describe('the API call beside a form', () => {
  it('quotes a body so that a shell hands it on unchanged', () => {
    expect(shellQuote("it's")).toBe(`'it'\\''s'`);
  });

  it('names the method, the filled-in address, the key and the body', () => {
    const text = curlText(renameThing, {
      origin: 'https://calls.example',
      params: { thingId: 'a/b' },
      body: { name: 'Mia' },
    });
    expect(text).toContain(`curl -X PUT 'https://calls.example/api/things/a%2Fb'`);
    expect(text).toContain('-H "x-api-key: $CALLWRIGHT_API_KEY"');
    expect(text).toContain(`-d '{\n  "name": "Mia"\n}'`);
  });
});

describe('limits of a field', () => {
  it('are read from the schema of the operation, through optional, nullable and transformations', () => {
    expect(maxCharacters(renameThing.body, 'name')).toBe(120);
    expect(maxCharacters(renameThing.body, 'tone')).toBe(9);
    expect(maxCharacters(renameThing.body, 'note')).toBeUndefined();
  });

  it('turn an emptied field into null', () => {
    expect(blankToNull('')).toBeNull();
    expect(blankToNull('x')).toBe('x');
  });
});
