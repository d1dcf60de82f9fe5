'use client';

import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import type { ModelHealth } from '#lib/features/conversations/model-health/contract.ts';
import { modelHealthQueries } from '#lib/features/conversations/model-health/queries.ts';

type Problem = NonNullable<ModelHealth['problem']>;

const TITLES: Record<Problem['part'], Record<Problem['kind'], string>> = {
  language: {
    bad_key: 'The key of the language model is refused',
    no_credit: 'The account of the language model has no credit left',
    no_such_model: 'The language model does not exist',
  },
  transcription: {
    bad_key: 'The key of the transcription is refused',
    no_credit: 'The account of the transcription has no credit left',
    no_such_model: 'The transcription model does not exist',
  },
};
const EFFECTS: Record<Problem['part'], string> = {
  language: 'Agents could not talk with',
  transcription: 'Agents could not understand people with',
};

/** What is wrong, and what it does to calls. */
export function modelProblemWords({ part, kind, model }: Problem): { title: string; effect: string } {
  return { title: TITLES[part][kind], effect: `${EFFECTS[part]} ${model}.` };
}

/** Says that somebody has to act before agents can talk, and nothing otherwise. Stands above every page. */
export function ModelHealthBanner() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(modelHealthQueries.health(workspaceId));
  if (!data?.problem) return null;
  const { callId } = data.problem;
  const { title, effect } = modelProblemWords(data.problem);
  return (
    <div className="mx-auto w-full max-w-[90rem] px-4 pt-4 sm:px-6 lg:px-8">
      <Notice
        tone="danger"
        icon={<TriangleAlert aria-hidden="true" />}
        title={title}
        actions={
          <Link
            href={workspacePath(workspaceId, `conversations/${encodeURIComponent(callId)}`)}
            className={buttonClasses({ size: 'sm' })}
          >
            Look at the call
          </Link>
        }
      >
        {`${effect} Whoever runs the service has to set another key, model or budget; this notice goes with the next call that works.`}
      </Notice>
    </div>
  );
}
