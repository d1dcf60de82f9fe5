import { expect, it } from 'vitest';
import { readOpenApiDocument } from './read.ts';
import { readDocument } from './read-document.ts';

const OPENAPI = `
openapi: 3.1.0
info: { title: Orders, version: "1" }
servers:
  - url: https://{region}.example.com/v2/
    variables: { region: { default: eu } }
paths:
  /orders/{orderId}:
    parameters:
      - { name: orderId, in: path, required: true, description: The number, schema: { type: string } }
    get:
      operationId: orders.get
      summary: Gets an order
      parameters:
        - { name: expand, in: query, schema: { type: string, enum: [items, all] } }
      responses: { "200": { description: ok } }
    put:
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Order" }
      responses: { "200": { description: ok } }
  /upload:
    post:
      requestBody: { required: true, content: { "text/csv": {} } }
      responses: { "200": { description: ok } }
  /signed:
    get:
      parameters: [{ name: X-Sign, in: header, required: true, schema: { type: string } }]
      responses: { "200": { description: ok } }
components:
  schemas:
    Base: { type: object, required: [note], properties: { note: { type: string } } }
    Order:
      allOf:
        - $ref: "#/components/schemas/Base"
        - { type: object, properties: { parent: { $ref: "#/components/schemas/Order" }, count: { type: integer } } }
`;

it('reads operations into tools with their arguments, and says why others cannot be taken over', async () => {
  const { address, title, tools } = await readOpenApiDocument(OPENAPI);
  expect({ address, title }).toEqual({ address: 'https://eu.example.com/v2', title: 'Orders' });
  expect(tools.map(({ label, reason }) => [label, reason])).toEqual([
    ['GET /orders/{orderId}', null],
    ['PUT /orders/{orderId}', null],
    ['POST /upload', 'takes a body that is no JSON'],
    ['GET /signed', 'needs X-Sign in the header'],
  ]);
  expect(tools[0]?.tool).toMatchObject({
    name: 'orders_get',
    description: 'Gets an order',
    path: '/orders/{{orderId}}?expand={{expand}}',
    parameters: {
      properties: {
        orderId: { type: 'string', description: 'The number' },
        expand: { enum: ['items', 'all'] },
      },
      required: ['orderId'],
    },
  });
  expect(tools[1]?.tool?.parameters).toMatchObject({ required: ['orderId', 'note'] });
});

it('reads Swagger 2 as well', async () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    host: 'pets.example.com',
    basePath: '/api',
    paths: {
      '/pets': {
        post: {
          parameters: [
            { name: 'dry', in: 'query', type: 'boolean' },
            {
              name: 'body',
              in: 'body',
              required: true,
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          ],
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  };
  const { address, tools } = await readOpenApiDocument(JSON.stringify(swagger));
  expect(address).toBe('https://pets.example.com/api');
  expect(tools[0]?.tool).toMatchObject({
    name: 'POST_pets',
    path: '/pets?dry={{dry}}',
    parameters: { properties: { dry: { type: 'boolean' }, name: { type: 'string' } }, required: ['name'] },
  });
});

it.each([
  ['package.json', 'is neither JSON nor YAML'],
  ['hello: world', 'is no OpenAPI document: it has neither openapi: 3.x nor swagger: 2.0'],
  [
    'openapi: 3.0.0\nbad: {$ref: "https://other.example.com/x.json"}',
    'has references that cannot be followed',
  ],
  [
    'a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]',
    'is neither JSON nor YAML',
  ],
])('refuses %j, and reads no file', async (document, reason) => {
  const read = await readDocument(document);
  expect(read).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});
