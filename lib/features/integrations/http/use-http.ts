import type { Outcome, Sender } from '#lib/outgoing/sender.ts';
import { decode, readAnswer } from './answer.ts';
import { checkArguments } from './check-arguments.ts';
import { redactSecrets } from './redact.ts';
import { buildRequest } from './request.ts';
import type { HttpTool } from './tool.ts';
import type { HttpConfig, Secrets } from '../rules.ts';
import { failed, headersOf, maskedHeaders, type Used } from './used.ts';

/** What is shown of an answer to somebody who tries a tool. */
const MAX_SHOWN = 8000;

/** Sends the request of an HTTP tool, once its arguments fit. */
export async function useHttpTool(
  sender: Sender,
  { config, tool, secrets }: { config: HttpConfig; tool: HttpTool; secrets: Secrets },
  args: unknown,
): Promise<Used> {
  const checked = checkArguments(tool.parameters, args);
  if (!checked.ok) return { heard: failed(checked.reason) };
  const headers = headersOf(config, secrets);
  const built = buildRequest(tool, { address: config.address, headers, arguments: checked.arguments });
  if (!built.ok) return { heard: failed(built.reason) };
  const { request } = built;
  const outcome = await sender.send(request);
  const values = Object.values(secrets);
  const heard = redactSecrets(readAnswer(outcome, tool.answer), values);
  const { answer } = outcome;
  return {
    heard,
    sent: {
      request: {
        method: request.method,
        url: redactSecrets(request.url, values),
        headers: maskedHeaders(request.headers, secrets),
        body: new TextDecoder().decode(request.body),
      },
      status: answer?.status ?? null,
      durationMs: outcome.durationMs,
      answer: answer ? redactSecrets(decode(answer.body).slice(0, MAX_SHOWN).toWellFormed(), values) : null,
      fault: heard.ok || !isTheirFault(outcome) ? null : heard.reason,
    },
  };
}

/** A refusal of what was asked for is no fault of the integration; a wrong key and a server that fails are. */
function isTheirFault({ answer, failure }: Outcome): boolean {
  if (failure || !answer) return true;
  return answer.status >= 500 || [401, 403].includes(answer.status) || answer.status < 400;
}
