'use client';

import { Phone } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { AssignNumber } from '#components/settings/assign-number.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { CallMeCard } from './call-me-card.tsx';
import { useAgent } from './use-agent.ts';

/** The numbers people reach this agent on, and that it calls from. */
export function NumbersTab({ agentId }: { agentId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { phoneNumbers } = useAgent(agentId);
  // One that really calls, where there is one.
  const callsFrom = phoneNumbers.find(({ carrier }) => carrier !== 'simulated') ?? phoneNumbers[0];
  const mayAssign = useMayManage();
  const manage = (
    <Link href={workspacePath(workspaceId, 'settings/numbers')} className={buttonClasses()}>
      {mayAssign ? 'Manage numbers' : 'All numbers'}
    </Link>
  );
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      {phoneNumbers.length === 0 ? (
        <EmptyState
          icon={<Phone />}
          title="No number assigned"
          description={`The agent answers calls to its numbers, and places calls from them. ${mayAssign ? 'Assign one below.' : 'An admin or owner can assign one.'}`}
          actions={manage}
        />
      ) : (
        <Table caption="Numbers of this agent">
          <TableHead>
            <TableHeader>Number</TableHeader>
            <TableHeader>Carrier</TableHeader>
            <TableHeader className="hidden sm:table-cell">Id</TableHeader>
          </TableHead>
          <TableBody>
            {phoneNumbers.map((number) => (
              <TableRow key={number.id}>
                <TableCell className="figures font-medium whitespace-nowrap">
                  <span className="flex items-center gap-1">
                    {formatPhoneNumber(number.number)}
                    <CopyButton text={number.number} label={`Copy ${number.number}`} />
                  </span>
                </TableCell>
                <TableCell>
                  <Badge>{number.carrier}</Badge>
                </TableCell>
                <TableCell className="hidden font-mono text-xs text-ink-subtle sm:table-cell">
                  {number.id}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      {callsFrom && role !== 'viewer' ? (
        <CallMeCard agentId={agentId} number={callsFrom.number} carrier={callsFrom.carrier} />
      ) : null}
      {mayAssign ? <AssignNumber agentId={agentId} /> : null}
      {phoneNumbers.length > 0 ? <div>{manage}</div> : null}
    </div>
  );
}
