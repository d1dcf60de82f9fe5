import type { Sender } from '#lib/outgoing/sender.ts';
import { checkArguments } from '../http/check-arguments.ts';
import { redactSecrets } from '../http/redact.ts';
import type { Listing, McpServer } from './client.ts';
import { MCP_LIMITS, type McpTool } from './tool.ts';
import type { McpConfig, Secrets } from '../rules.ts';
import { failed, headersOf, maskedHeaders, type Used } from '../http/used.ts';

/** The client of the protocol takes 25 MB, which only those need who use such a server. */
const client = () => import('./client.ts');

type Connection = { config: McpConfig; secrets: Secrets };

/** The tools of a server, as it tells them now. */
export async function listTools(sender: Sender, connection: Connection): Promise<Listing> {
  const { listServerTools } = await client();
  return listServerTools(serverOf(sender, connection, MCP_LIMITS.listTimeoutMs));
}

/** Uses a tool of a server, once its arguments fit what the server said of them. */
export async function useMcpTool(
  sender: Sender,
  connection: Connection & { tool: McpTool },
  args: unknown,
): Promise<Used> {
  const { config, secrets, tool } = connection;
  const checked = checkArguments(tool.parameters, args);
  if (!checked.ok) return { heard: failed(checked.reason) };
  const startedAt = performance.now();
  const call = { name: tool.serverName, arguments: checked.arguments };
  const { callServerTool } = await client();
  const { heard, isTheirFault } = await callServerTool(
    serverOf(sender, connection, MCP_LIMITS.timeoutMs),
    call,
  );
  const redacted = redactSecrets(heard, Object.values(secrets));
  return {
    heard: redacted,
    sent: {
      request: {
        method: 'tools/call',
        url: config.address,
        headers: maskedHeaders(headersOf(config, secrets), secrets),
        body: JSON.stringify(call),
      },
      status: null,
      durationMs: Math.round(performance.now() - startedAt),
      answer: null,
      fault: isTheirFault && !redacted.ok ? redacted.reason : null,
    },
  };
}

function serverOf(sender: Sender, { config, secrets }: Connection, timeoutMs: number): McpServer {
  const { address, protocolVersion } = config;
  return { sender, address, protocolVersion, headers: headersOf(config, secrets), timeoutMs };
}
