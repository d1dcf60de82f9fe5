'use client';

import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Field } from '#components/ui/field.tsx';
import { EmptyState, ErrorState, Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Page, PageHeader } from '#components/ui/page-header.tsx';
import { Select, type SelectOption } from '#components/ui/select.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import type { VersionDetail, VersionSummary } from '#lib/features/publishing/history/contract.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { ComparedParts } from './compared-parts.tsx';
import { RestoreVersion } from './restore-version.tsx';
import { authorName, changeSentence, comparedParts, versionName } from './wording.ts';

/** Shown by itself, with all that is set, instead of beside another one. */
const ALONE = 'none';

/** One version: beside another one, by default the one before it, or all of it. Which one stands in the address. */
export function VersionView({ versionId }: { versionId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: version } = useSuspenseQuery(versionQueries.detail(workspaceId, versionId));
  const { others, chosen, choose } = useOther(version);
  const name = versionName(version);
  const agentPath = workspacePath(workspaceId, `agents/${encodeURIComponent(version.agentId)}`);
  return (
    <Page>
      <PageHeader
        trail={[
          { label: 'Agents', href: workspacePath(workspaceId, 'agents') },
          ...(version.isAgentDeleted
            ? []
            : [
                { label: version.agentName, href: agentPath },
                { label: 'Versions', href: `${agentPath}/versions` },
              ]),
        ]}
        title={`${name} of ${version.agentName}`}
        badge={
          version.isPublished ? (
            <Badge tone="success">Published</Badge>
          ) : version.isShareOnly ? (
            <Badge>Published for a share</Badge>
          ) : null
        }
        description={
          <>
            <p>{changeSentence(version)}</p>
            <p className="text-sm text-ink-subtle">
              {authorName(version)} · <Moment iso={version.createdAt} style="full" />
            </p>
          </>
        }
        actions={
          version.isPublished ||
          version.number === null ||
          version.isAgentDeleted ||
          role === 'viewer' ? null : (
            <RestoreVersion agentId={version.agentId} version={version} />
          )
        }
      />
      {version.isAgentDeleted ? (
        <Notice title="The agent was deleted">Conversations that were held with it still open this.</Notice>
      ) : null}
      <Field label="Compare with" className="max-w-xs">
        <Select options={others} value={chosen} onValueChange={choose} />
      </Field>
      {chosen === ALONE ? (
        <ComparedParts parts={comparedParts(null, version, { isWhole: true })} names={null} />
      ) : (
        <Comparison version={version} otherId={chosen} />
      )}
    </Page>
  );
}

/** With which version it is compared, and which there are. */
function useOther(version: VersionDetail) {
  const { id: workspaceId } = useWorkspace();
  const params = useSearchParams();
  const router = useRouter();
  const pathname = usePathname();
  const list = useInfiniteQuery(versionQueries.list(workspaceId, version.agentId));
  const versions = (list.data?.pages.flatMap((page) => page.versions) ?? []).filter(
    ({ id }) => id !== version.id,
  );
  const before = versions.find(
    ({ number, isPublished, isShareOnly }) =>
      !isShareOnly && number !== null && (version.number === null ? isPublished : number < version.number),
  );
  const chosen = params.get('with') ?? before?.id ?? ALONE;
  const others: SelectOption[] = [
    { value: ALONE, label: 'Nothing: show all of it' },
    ...(chosen === ALONE || versions.some(({ id }) => id === chosen)
      ? []
      : [{ value: chosen, label: 'Another version' }]),
    ...versions.map(optionOf),
  ];
  const choose = (id: string) =>
    router.replace(`${pathname}?with=${encodeURIComponent(id)}`, { scroll: false });
  return { others, chosen, choose };
}

function optionOf(version: VersionSummary): SelectOption {
  const name = versionName(version);
  return {
    value: version.id,
    label: version.isPublished ? `${name}, published` : name,
    detail: changeSentence(version),
  };
}

function Comparison({ version, otherId }: { version: VersionDetail; otherId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: other, error } = useQuery(versionQueries.detail(workspaceId, otherId));
  if (error)
    return <ErrorState title="The other version could not be loaded" description={describeFailure(error)} />;
  if (!other) return <TableSkeleton label="Loading the other version" rows={3} />;
  // The earlier one stands on the left; a draft is later than all.
  const isLater = (version.number ?? Infinity) >= (other.number ?? Infinity);
  const [before, after] = isLater ? [other, version] : [version, other];
  const parts = comparedParts(before, after, { isWhole: false });
  if (parts.length === 0)
    return (
      <EmptyState
        title="Nothing differs"
        description={`${versionName(before)} and ${versionName(after).toLowerCase()} say the same.`}
        actions={
          <Link href="?with=none" className="text-accent-text underline">
            Show all of it
          </Link>
        }
      />
    );
  return <ComparedParts parts={parts} names={{ before: versionName(before), after: versionName(after) }} />;
}
