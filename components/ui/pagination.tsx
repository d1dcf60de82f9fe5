import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from './link.tsx';
import { buttonClasses } from './button.tsx';

type PaginationProps = {
  /** What is listed, in the plural: "conversations". */
  noun: string;
  firstShown: number;
  lastShown: number;
  total?: number | undefined;
  /** False: there are more than `total`. */
  isTotalExact?: boolean;
  previousHref: string | null;
  nextHref: string | null;
};

/** Where in a list this page stands, and links to the pages beside it where there are any. Plain links, so that paging works before any script runs and can be opened in a new tab. */
export function Pagination({
  noun,
  firstShown,
  lastShown,
  previousHref,
  nextHref,
  ...counted
}: PaginationProps) {
  const count = new Intl.NumberFormat('en-US');
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-4">
      <p className="figures text-sm text-ink-subtle">
        {lastShown === 0
          ? `No ${noun}`
          : `${count.format(firstShown)}–${count.format(lastShown)}${ofTotal(counted)} ${noun}`}
      </p>
      {previousHref === null && nextHref === null ? null : (
        <div className="flex gap-2">
          <PageLink href={previousHref}>
            <ChevronLeft aria-hidden="true" />
            Previous
          </PageLink>
          <PageLink href={nextHref}>
            Next
            <ChevronRight aria-hidden="true" />
          </PageLink>
        </div>
      )}
    </nav>
  );
}

function ofTotal({ total, isTotalExact = true }: Pick<PaginationProps, 'total' | 'isTotalExact'>): string {
  if (total === undefined) return '';
  return ` of ${isTotalExact ? '' : 'more than '}${total.toLocaleString('en-US')}`;
}

function PageLink({ href, children }: { href: string | null; children: React.ReactNode }) {
  if (href === null) {
    return (
      <span aria-disabled="true" className={buttonClasses({ size: 'sm' })}>
        {children}
      </span>
    );
  }
  return (
    <Link href={href} className={buttonClasses({ size: 'sm' })} scroll={false}>
      {children}
    </Link>
  );
}
