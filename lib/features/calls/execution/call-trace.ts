import type { CallReport } from '#lib/conversation-process/protocol.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { TurnRecord } from '#lib/engine/plan.ts';
import type { FinishedSpan } from '#lib/ports/tracer.ts';
import { continueTrace } from '#lib/trace/context.ts';
import type { CallRow } from '../repository.ts';
import { traceOfCall } from '../rules.ts';

/** Tells what happens on a call as spans below the call's own. Costs nothing where nobody wants them. */
export type CallTrace = {
  /** The fence is committed: the call waited until now. */
  fenced(at: Date): void;
  heard(report: CallReport, at: Date): void;
};

const silent: CallTrace = { fenced() {}, heard() {} };

export function createCallTrace({ tracer }: Pick<Dependencies, 'tracer'>, call: CallRow): CallTrace {
  if (!tracer.isOn) return silent;
  const trace = traceOfCall(call);
  let dialledAt: Date | undefined;

  function tell(
    name: string,
    span: Pick<FinishedSpan, 'startedAt' | 'endedAt' | 'attributes'> & Partial<FinishedSpan>,
    parent = trace,
  ) {
    const own = continueTrace(trace);
    tracer.record({ kind: 'internal', ...span, name, trace: own, parentSpanId: parent.spanId });
    return own;
  }

  /** A turn, and below the agent's answer its parts, which ended one after the other before it was heard. */
  function tellTurn(turn: TurnRecord, endedAt: Date): void {
    const startedAt = before(endedAt, turn.endedMs - turn.startedMs);
    const { speaker, interrupted, timings } = turn;
    const heard = timings ? before(startedAt, timings.totalMs) : startedAt;
    const own = tell(`turn ${speaker}`, {
      startedAt: heard,
      endedAt,
      attributes: { 'callwright.turn': turn.seq, 'callwright.interrupted': interrupted },
    });
    if (!timings) return;
    const spokenFrom = before(startedAt, timings.firstAudioMs);
    const part = (name: string, from: Date, to: Date) =>
      tell(name, { startedAt: from, endedAt: to, attributes: {} }, own);
    part('transcription', heard, after(heard, timings.transcriptionMs));
    part('end of turn', heard, after(heard, timings.endOfTurnMs));
    if (timings.firstTokenMs !== null)
      part('language model, first word', before(spokenFrom, timings.firstTokenMs), spokenFrom);
    part('voice, first sound', spokenFrom, startedAt);
  }

  return {
    fenced(at) {
      dialledAt = at;
      tell('wait in the queue', { startedAt: call.notBefore ?? call.createdAt, endedAt: at, attributes: {} });
    },
    heard(report, at) {
      if (report.type === 'turn') tellTurn(report.turn, at);
      if (report.type === 'answered' && dialledAt)
        tell('dial', {
          kind: 'client',
          startedAt: dialledAt,
          endedAt: at,
          attributes: { 'callwright.carrier': call.carrier, 'callwright.answered_by': report.by },
        });
      if (report.type === 'tool_use') {
        const { name, startedMs, endedMs } = report.use;
        tell(`tool ${name}`, { startedAt: before(at, endedMs - startedMs), endedAt: at, attributes: {} });
      }
      if (report.type === 'event' && report.name === 'model_failed')
        tell('language model', {
          startedAt: before(at, typeof report.data.afterMs === 'number' ? report.data.afterMs : 0),
          endedAt: at,
          attributes: {},
          error: typeof report.data.kind === 'string' ? report.data.kind : 'failed',
        });
    },
  };
}

const before = (at: Date, ms: number) => new Date(at.getTime() - Math.max(0, ms));
const after = (at: Date, ms: number) => new Date(at.getTime() + ms);
