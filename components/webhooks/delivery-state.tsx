import { StatusDot, type Tone } from '#components/ui/badge.tsx';
import type { DeliverySummary } from '#lib/features/webhooks/contract.ts';

const STATES: Record<DeliverySummary['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'accent', label: 'Waiting' },
  sending: { tone: 'accent', label: 'Sending' },
  delivered: { tone: 'success', label: 'Delivered' },
  failed: { tone: 'danger', label: 'Failed' },
  unknown: { tone: 'warning', label: 'Unknown whether sent' },
};

export function DeliveryState({ status }: { status: DeliverySummary['status'] }) {
  const { tone, label } = STATES[status];
  return (
    <StatusDot tone={tone} isLive={tone === 'accent'}>
      {label}
    </StatusDot>
  );
}

export const KIND_LABELS: Record<DeliverySummary['kind'], string> = {
  call: 'Call',
  resend: 'Sent again',
  test: 'Test',
};
