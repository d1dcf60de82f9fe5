import type { ErrorCode } from '#lib/errors.ts';
import { isOfContract } from './contract-operations.ts';
import { takesBase } from './base.ts';
import { isMultipart, type Operation } from './operation.ts';

/** What each code tells whoever programs against it, for the reference. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The path, the query or the body fails validation; `message` names each failing field',
  MALFORMED_REQUEST: 'The address or the body cannot be read',
  UNSUPPORTED_CONTENT_TYPE: 'The body has another Content-Type than the operation takes',
  FILE_TOO_LARGE: 'The file is larger than 50 MB',
  PAYLOAD_TOO_LARGE: 'The body is larger than the operation takes',
  BODY_TIMEOUT: 'The body did not arrive in time',
  UNSUPPORTED_ENCODING: 'The body is compressed, or in another charset than UTF-8',
  CONFLICT:
    'A field that `base` names holds something else by now; `details.current` has what, and nothing was changed',
  CONFIRMATION_REQUIRED:
    'A person has not confirmed what cannot be taken back or was not judged, or it is more by now; nothing was changed',
  AGENT_INACTIVE: 'The agent of the number is switched off',
  OPTED_OUT: 'The number asked not to be called again: it is on the opt-out list of the workspace',
  NO_OUTBOUND_PROMPT: 'The agent has no outbound prompt',
  SINGLE_PROMPT_ACTIVE: 'The text is rendered from a single prompt, which has to be cleared first',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with a different request',
  INVALID_STATE: 'What is asked for is not possible in the present state',
  UNAUTHORIZED: 'The key is missing or invalid',
  FORBIDDEN: 'The resource belongs to another workspace, or the link is not valid',
  USAGE_LIMIT_EXCEEDED: 'The workspace has reached its monthly usage limit',
  NOT_FOUND: 'Nothing has this id, number or name',
  ROUTE_NOT_FOUND: 'There is no such path, or it does not have this method',
  METHOD_NOT_ALLOWED: 'The path does not have this method; `Allow` names those it has',
  RATE_LIMITED: 'Too many requests; wait as long as `Retry-After` says',
  PROVIDER_FAILED: 'A service that Callwright depends on did not answer usefully',
  NOT_READY: 'Part of the service cannot be reached at the moment; `Retry-After` says when to try again',
  INTERNAL_ERROR: 'Failure while handling the request; quote the header `x-request-id` when you report it',
};

/** Every code an operation can fail with: those it declares, and those that follow from its scope and its input. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  if (operation.scope !== 'public') codes.add('UNAUTHORIZED');
  if (
    !isOfContract(operation) ||
    (operation.params ?? operation.query ?? operation.headers ?? operation.body)
  )
    codes.add('VALIDATION_ERROR');
  if (operation.params ?? operation.body) codes.add('MALFORMED_REQUEST');
  if (operation.body) {
    codes.add('UNSUPPORTED_CONTENT_TYPE').add('UNSUPPORTED_ENCODING');
    if (isMultipart(operation.body)) codes.add('FILE_TOO_LARGE');
    else codes.add('BODY_TIMEOUT').add('PAYLOAD_TOO_LARGE');
  }
  if (!operation.ignoresCredentials) codes.add('NOT_READY');
  if (takesBase(operation)) codes.add('CONFLICT');
  codes.add('RATE_LIMITED').add('INTERNAL_ERROR');
  return [...codes];
}
