import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './openapi.ts';
import { defineOperation, isForDashboard, isMultipart, type Operation } from './operation.ts';
import { operations, webhooks } from './operations.ts';
import { optionalQueryInteger, queryInteger } from './schemas.ts';

const thing = z.object({ name: z.string() }).meta({ id: 'TestThing' });
const list = defineOperation({
  id: 'listThings',
  method: 'GET',
  path: '/things',
  scope: 'workspace',
  tag: 'Things',
  summary: 'List things',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    from: optionalQueryInteger({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }).describe(
      'Unix milliseconds',
    ),
  }),
  response: z.object({ data: z.array(thing) }),
  status: 200,
  errors: ['FORBIDDEN'],
});

type Described = {
  paths: Record<
    string,
    Record<string, { parameters: unknown[]; responses: Record<string, { description: string }> }>
  >;
  components: { schemas: Record<string, unknown> };
};

function describing(...given: Operation[]): Described {
  return buildOpenApi({ operations: given, webhooks: [], publicUrl: 'http://x' }) as Described;
}

describe('buildOpenApi', () => {
  it('describes a query integer as an integer with its bounds, although it arrives as text', () => {
    expect(describing(list).paths['/things']?.get?.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      },
      {
        name: 'from',
        in: 'query',
        required: false,
        description: 'Unix milliseconds',
        schema: { type: 'integer', format: 'int64' },
      },
    ]);
  });

  it('tells each status with every code that comes with it', () => {
    const responses = describing(list).paths['/things']?.get?.responses ?? {};
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '429', '500', '503']);
    expect(responses['403']?.description).toContain('`FORBIDDEN`: ');
    expect(responses['429']).toEqual({ $ref: '#/components/responses/RateLimited' });
  });

  it('names a schema once, open for fields to come, and refuses two under one name', () => {
    expect(describing(list).components.schemas.TestThing).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    const other = { ...list, path: '/others', body: thing, method: 'POST' } as const;
    expect(() => describing(list, other)).not.toThrow();
    const strict = { ...other, body: z.strictObject({}).meta({ id: 'TestStrict' }) };
    const loose = { ...list, response: z.object({}).meta({ id: 'TestStrict' }) };
    expect(() => describing(strict, loose)).toThrow('TestStrict');
  });
});

describe('the operations of the service', () => {
  const taking = operations.filter(
    (operation) => !isForDashboard(operation) && operation.body && !isMultipart(operation.body),
  );

  it.each(taking.map((operation) => [operation.id, operation] as const))(
    '%s has an example of its body that it takes',
    (_id, { body, example }) => {
      expect(example).toBeDefined();
      expect((body as z.ZodType).safeParse(example).error).toBeUndefined();
    },
  );

  it('has an example of the webhook that is one', () => {
    for (const { body, example } of webhooks) expect(body.parse(example)).toEqual(example);
  });
});

it('says both ways in which a number of a call may be written', () => {
  const publicly = operations.filter((operation) => !isForDashboard(operation));
  const { components } = describing(...publicly);
  const call = components.schemas.OutboundCall as { properties: Record<string, unknown> };
  for (const field of ['from', 'to'])
    expect(call.properties[field]).toMatchObject({
      type: 'string',
      anyOf: [
        { type: 'string', pattern: String.raw`^\+?1?\d{10,11}$` },
        {
          type: 'string',
          pattern: String.raw`^\+[1-9]\d{6,14}$`,
          description: expect.stringMatching(/valid/),
        },
      ],
    });
});
