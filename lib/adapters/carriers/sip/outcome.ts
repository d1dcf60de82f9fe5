import type { NeverConnectedReason } from '#lib/ports/carrier.ts';

/** What a refusal means for the person who was called (RFC 3261, section 21). */
export function reasonFor(why: number | 'timeout' | 'unreachable' | 'cancelled'): NeverConnectedReason {
  if (why === 'cancelled') return 'no_answer';
  if (typeof why === 'string') return 'network_failure';
  if (why === 486 || why === 600) return 'busy';
  // 408: it rang and nobody came; 480: nobody is logged in there; 487: the other side gave up.
  if (why === 408 || why === 480 || why === 487) return 'no_answer';
  return why === 603 || why === 607 || why === 403 || why === 433 ? 'rejected' : 'network_failure';
}
