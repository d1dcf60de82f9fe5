import { StatusDot } from '#components/ui/badge.tsx';
import type { IntegrationView } from '#lib/features/integrations/contract.ts';

export const KIND_LABELS: Record<IntegrationView['kind'], string> = {
  http: 'HTTP requests',
  mcp: 'MCP server',
  calendar: 'Calendar',
};

const STATES = {
  active: { tone: 'success', label: 'Active' },
  off: { tone: 'neutral', label: 'Off' },
  failing: { tone: 'danger', label: 'Failing' },
} as const;

export function IntegrationState({ state }: Pick<IntegrationView, 'state'>) {
  const { tone, label } = STATES[state];
  return <StatusDot tone={tone}>{label}</StatusDot>;
}

export function toolsLabel(count: number): string {
  return count === 1 ? '1 tool' : `${count === 0 ? 'No' : count} tools`;
}
