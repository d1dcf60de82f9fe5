import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { tagLabel } from '#components/conversations/wording.ts';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { Overview } from '#lib/features/overview/contract.ts';
import { ChangeMark } from './figure-tiles.tsx';
import type { ListFilter } from './range.ts';
import { changeOf, countText, periodName, shareText } from './wording.ts';

/** The most frequent tags, each over time. */
export function TagsCard({
  overview,
  hrefOf,
}: {
  overview: Overview;
  hrefOf: (filter: ListFilter) => string;
}) {
  const { tags, otherTags, totals } = overview;
  return (
    <Card
      title="Tags"
      description="What the analyzer found in calls, the most frequent first."
      isFlush
      footer={
        otherTags > 0 ? `And ${countText(otherTags)} more ${otherTags === 1 ? 'tag' : 'tags'}.` : undefined
      }
    >
      <Table caption="Tags" className="rounded-none border-0 shadow-none">
        <TableHead>
          <TableHeader>Tag</TableHeader>
          <TableHeader className="text-right">Calls</TableHeader>
          <TableHeader className="text-right">Of all calls</TableHeader>
          <TableHeader className="text-right">Before</TableHeader>
          <TableHeader>Over time</TableHeader>
        </TableHead>
        <TableBody>
          {tags.map((each) => (
            <TableRow key={each.tag}>
              <th
                scope="row"
                className="max-w-60 border-b border-line px-4 text-left font-medium wrap-anywhere"
              >
                {tagLabel(each.tag)}
              </th>
              <TableCell className="figures text-right">
                <Link
                  href={hrefOf({ channel: 'call', tag: each.tag })}
                  className="rounded-sm hover:text-accent-text hover:underline"
                >
                  {countText(each.calls)}
                </Link>
              </TableCell>
              <TableCell className="figures text-right">
                {shareText(totals.current.calls === 0 ? null : each.calls / totals.current.calls)}
              </TableCell>
              <TableCell className="figures text-right whitespace-nowrap">
                <ChangeMark change={changeOf(each.calls, each.before)} />
              </TableCell>
              <TableCell>
                <Course overview={overview} counts={each.periods} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

const COURSE = { width: 120, height: 24 };

/** A line without axes; a screen reader is told where it is highest. */
function Course({ overview, counts }: { overview: Overview; counts: readonly number[] }) {
  const most = Math.max(0, ...counts);
  const peak = overview.periods[counts.indexOf(most)];
  const x = scaleLinear({ domain: [0, Math.max(1, counts.length - 1)], range: [1, COURSE.width - 1] });
  const y = scaleLinear({ domain: [0, Math.max(1, most)], range: [COURSE.height - 2, 2] });
  const label = peak
    ? `Most: ${countText(most)}, ${periodName(peak, overview.unit, overview.timeZone)}`
    : 'Nothing';
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> holds no drawing
    <svg role="img" aria-label={label} width={COURSE.width} height={COURSE.height}>
      <LinePath
        data={counts.map((count, index) => ({ count, index }))}
        x={({ index }) => x(index)}
        y={({ count }) => y(count)}
        stroke="var(--agent)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
