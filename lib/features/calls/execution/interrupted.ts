import { z } from 'zod';
import type { CallOutcome } from '#db/schema/calls.ts';

type StoredTurn = { speaker: 'agent' | 'human'; startedMs: number; endedMs: number };
type StoredToolUse = { name: string; result: Record<string, unknown>; endedMs: number };

/**
 * What is known of a conversation that was cut off: it lasted until the last thing that was stored, and what its
 * tools did stays done.
 */
export function outcomeOfInterrupted(
  turns: readonly StoredTurn[],
  toolUses: readonly StoredToolUse[],
  endReason: string,
): CallOutcome {
  const spoken = turns.filter((turn) => turn.speaker === 'agent');
  return {
    connected: true,
    neverConnectedReason: null,
    answeredBy: null,
    durationMs: [...turns, ...toolUses].reduce((last, { endedMs }) => Math.max(last, endedMs), 0),
    voicemail: null,
    transferredTo: null,
    appointment: appointmentOf(toolUses),
    callback: appointmentOf(toolUses) ? null : callbackOf(toolUses),
    endedBy: 'shutdown',
    endReason,
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      spokenMs: spoken.reduce((sum, turn) => sum + turn.endedMs - turn.startedMs, 0),
    },
  };
}

/** The tools' own results are what a conversation that ran to its end would have carried (lib/engine/tools). */
function appointmentOf(toolUses: readonly StoredToolUse[]): CallOutcome['appointment'] {
  const booked = z.object({
    ok: z.literal(true),
    startsAt: z.string(),
    timeZone: z.string(),
    spoken: z.string(),
  });
  const found = lastResult(toolUses, 'book_appointment', booked);
  return found ? { startsAt: found.startsAt, timeZone: found.timeZone, spoken: found.spoken } : null;
}

function callbackOf(toolUses: readonly StoredToolUse[]): CallOutcome['callback'] {
  const found = lastResult(
    toolUses,
    'schedule_callback',
    z.object({ ok: z.literal(true), when: z.string(), contact: z.string().optional() }),
  );
  if (!found) return null;
  return { spoken: found.when, ...(found.contact === undefined ? {} : { contact: found.contact }) };
}

function lastResult<Schema extends z.ZodType>(
  toolUses: readonly StoredToolUse[],
  name: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const results = toolUses.filter((use) => use.name === name).map((use) => schema.safeParse(use.result));
  return results.findLast((result) => result.success)?.data;
}
