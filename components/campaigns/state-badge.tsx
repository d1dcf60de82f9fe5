'use client';

import { useNow } from '#components/conversations/use-now.ts';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import type { Campaign } from '#lib/features/campaigns/contract.ts';
import { STATE_WORDS, stateLabel } from './wording.ts';

export function StateBadge({ campaign }: { campaign: Pick<Campaign, 'state' | 'startAt'> }) {
  const nowMs = useNow(campaign.state === 'running');
  const { tone, isLive = false } = STATE_WORDS[campaign.state];
  return (
    <Badge tone={tone}>
      <StatusDot tone={tone} isLive={isLive}>
        {stateLabel(campaign, nowMs)}
      </StatusDot>
    </Badge>
  );
}
