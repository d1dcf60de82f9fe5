import type { Outcome, Sender } from '#lib/outgoing/sender.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { formatTraceparent, parseTraceparent, traceOf } from '#lib/trace/context.ts';
import { encodeBody, payloadOf, requestHeaders, signBody } from '../rules.ts';
import { claimDelivery, type DeliveryResult, recordResult, type WaitingDelivery } from './repository.ts';

export type SendingDeps = Pick<Dependencies, 'db' | 'clock' | 'log' | 'metrics' | 'tracer'> & {
  sender: Sender;
  /** A link to the call's recording that is good for one hour from now. */
  signRecordingUrl: (call: { id: string }) => string;
};

/**
 * Sends one waiting delivery, once: builds and signs the body, commits exactly those bytes as `sending` (the fence), sends
 * them, records what came of it. Holds no database session while the receiver takes its time. Does nothing when
 * another process claimed the delivery first.
 */
export async function deliver(deps: SendingDeps, delivery: WaitingDelivery): Promise<void> {
  const { call, workspaceId, id } = delivery;
  const body = encodeBody(
    payloadOf(call, call.recordingKey === null ? undefined : deps.signRecordingUrl(call)),
  );
  const signature = signBody(body, delivery.secret);
  const ofCall = traceOf(call.id, parseTraceparent(call.traceparent));
  const trace = traceOf(id, ofCall);
  const claim = { id, workspaceId, secret: delivery.secret, body, signature, sendingAt: deps.clock.now() };
  if (!(await claimDelivery(deps.db, claim))) return;
  passFaultPoint('webhook.claimed');
  const outcome = await deps.sender.send({
    url: delivery.url,
    method: 'POST',
    headers: { ...requestHeaders(signature), traceparent: formatTraceparent(trace) },
    body,
  });
  passFaultPoint('webhook.sent');
  const result = resultOf(outcome, deps.clock.now());
  await recordResult(deps.db, workspaceId, id, result);
  passFaultPoint('webhook.recorded');
  deps.metrics.webhook({
    kind: delivery.kind,
    outcome: outcomeOf(outcome),
    ageSeconds: (result.finishedAt.getTime() - delivery.createdAt.getTime()) / 1000,
  });
  deps.tracer.record({
    name: 'webhook',
    kind: 'client',
    trace,
    parentSpanId: ofCall.spanId,
    startedAt: claim.sendingAt,
    endedAt: result.finishedAt,
    attributes: {
      'callwright.delivery_id': id,
      'callwright.webhook_kind': delivery.kind,
      'http.response.status_code': result.responseStatus,
    },
    error: result.status === 'failed' ? outcomeOf(outcome) : undefined,
  });
  deps.log.info({
    event: 'webhook',
    traceId: trace.traceId,
    deliveryId: id,
    workspaceId,
    callId: call.id,
    kind: delivery.kind,
    status: result.status,
    responseStatus: result.responseStatus,
    durationMs: result.durationMs,
    error: result.error,
  });
}

/** In words of a closed list: how the receiver answered, or that it did not. */
function outcomeOf({ answer, failure }: Outcome): string {
  if (failure || !answer) return 'no_answer';
  return answer.status >= 200 && answer.status < 300
    ? 'delivered'
    : `answered_${Math.floor(answer.status / 100)}xx`;
}

/** Delivered is what was answered completely and with 2xx; everything else failed, with one sentence that says why. */
export function resultOf(outcome: Outcome, finishedAt: Date): DeliveryResult {
  const { answer, failure } = outcome;
  const error = failure?.reason ?? (answer ? describeStatus(answer.status) : null);
  return {
    status: error === null ? 'delivered' : 'failed',
    resolvedIp: outcome.resolvedIp ?? null,
    responseStatus: answer?.status ?? null,
    responseHeaders: answer?.headers ?? null,
    responseBody: answer?.body ?? null,
    responseTruncated: answer?.isTruncated ?? false,
    durationMs: outcome.durationMs,
    error,
    finishedAt,
  };
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
}
