import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './openapi.ts';
import { defineOperation } from './operation.ts';
import { optionalQueryInteger, queryInteger } from './schemas.ts';

const list = defineOperation({
  id: 'listThings',
  method: 'GET',
  path: '/things',
  scope: 'workspace',
  tag: 'Things',
  summary: 'List things',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    from: optionalQueryInteger({ min: 0, max: 9 }),
  }),
  response: z.object({ data: z.array(z.string()) }),
  status: 200,
});

describe('buildOpenApi', () => {
  it('describes a query integer as an integer with its bounds, although it arrives as text', () => {
    const document = buildOpenApi([list], 'http://x', '1') as {
      paths: Record<string, { get: { parameters: unknown[] } }>;
    };
    expect(document.paths['/things']?.get.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      },
      { name: 'from', in: 'query', required: false, schema: { type: 'integer', minimum: 0, maximum: 9 } },
    ]);
  });
});
