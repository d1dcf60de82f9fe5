'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { type PreviewInput, promptQueries } from '#lib/features/prompts/queries.ts';

/** Long enough that a fast typist does not ask for every letter, short enough to feel live. */
const PAUSE_MS = 250;

/** The service's rendering of what is being typed. */
export function usePreview(agentId: string, input: PreviewInput) {
  const { id: workspaceId } = useWorkspace();
  const settled = useSettled(input);
  const { data, isFetching, error } = useQuery(promptQueries.preview(workspaceId, agentId, settled));
  return { preview: data, isRendering: isFetching, error };
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
