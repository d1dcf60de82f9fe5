import { z } from 'zod';
import { defineOperation, LONG_TEXT_BYTES } from '../operation.ts';

/**
 * One message of the Model Context Protocol. In no OpenAPI document: what can be asked for is what `tools/list` answers.
 * Batches, which the protocol gave up in 2025, would let one request count for many.
 */
export const callMcp = defineOperation({
  id: 'callMcp',
  method: 'POST',
  path: '/mcp',
  scope: 'workspace',
  role: 'viewer',
  tag: 'MCP',
  summary: 'Speak MCP over streamable HTTP',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z.looseObject({}),
  produces: 'application/json',
  status: 200,
});

/** For the gate. Clients ask with GET for a stream and end a session with DELETE; 405 tells them that there is neither. */
export const MCP_ROUTES = [callMcp] as const;
