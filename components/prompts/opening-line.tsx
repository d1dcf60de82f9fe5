import { MessageSquareQuote } from 'lucide-react';
import { Notice } from '#components/ui/empty-state.tsx';
import type { PromptPreview } from '#lib/features/prompts/preview/contract.ts';

/** The first words of a call. */
export function OpeningLine({ text, testId }: { text: string; testId?: string }) {
  return (
    <p
      {...(testId ? { 'data-testid': testId } : {})}
      className="flex gap-2 rounded-lg border border-accent-line bg-accent-soft px-3 py-2.5 text-base text-ink"
    >
      <MessageSquareQuote aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}

/** Whether the dashboard places no call as it is previewed: somebody is there to fill in what its opening needs. */
export function isRefused(preview: Pick<PromptPreview, 'missingForOpening' | 'languageRefusal'>): boolean {
  return preview.missingForOpening.length > 0 || preview.languageRefusal !== null;
}

/** What of the opening is not said on such a call, and why. */
export function OpeningGaps({
  preview,
}: {
  preview: Pick<PromptPreview, 'leftOut' | 'missingForOpening' | 'languageRefusal'>;
}) {
  const { leftOut, missingForOpening, languageRefusal } = preview;
  if (languageRefusal !== null) {
    return (
      <Notice tone="danger" title="This call would be refused">
        {languageRefusal}
      </Notice>
    );
  }
  if (missingForOpening.length > 0) {
    return (
      <Notice tone="danger" title="The opening cannot be said">
        {`It says nothing without ${listed(missingForOpening)}. Calls of forms and campaigns need it; a call over the API opens with a line made of the names instead.`}
      </Notice>
    );
  }
  if (leftOut.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={leftOut.length === 1 ? 'One sentence is left out' : 'Sentences are left out'}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {leftOut.map(({ sentence, variables }) => (
          <li key={sentence} className="wrap-anywhere">
            {`“${sentence}” needs ${variables.length > 0 ? listed(variables) : 'a placeholder that can be read'}.`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const list = new Intl.ListFormat('en');

function listed(names: readonly string[]): string {
  return list.format(names);
}
