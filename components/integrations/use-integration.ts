'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import {
  type IntegrationDetail,
  type IntegrationPatch,
  updateIntegration,
} from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import type { Base } from '#lib/http/base.ts';
import { ApiError, callOperation } from '#lib/http/client.ts';

const TOOLS_CHANGED = 'Somebody else changed the tools meanwhile. They are shown now; save once more.';

/** Saves parts of an integration, and shows elsewhere what has changed. */
export function useSaveIntegration(integrationId: string) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  /** Lists of tools are shown as they are now; the one that was edited stays in its form. */
  const refuse = (error: unknown): never => {
    const current = error instanceof ApiError ? error.current : undefined;
    if (!current || !('tools' in current || 'chosenTools' in current)) throw error;
    void queryClient.invalidateQueries(integrationQueries.detail(workspaceId, integrationId));
    throw new ApiError(409, 'CONFLICT', TOOLS_CHANGED, []);
  };
  return async (patch: IntegrationPatch, base: Base): Promise<IntegrationDetail> => {
    const body = { ...patch, base: { ...base } };
    const params = { integrationId };
    const { data } = await callOperation(updateIntegration, { params, body }, { workspaceId }).catch(refuse);
    queryClient.setQueryData(integrationQueries.detail(workspaceId, integrationId).queryKey, data);
    void queryClient.invalidateQueries({ queryKey: integrationQueries.list(workspaceId).queryKey });
    void queryClient.invalidateQueries({ queryKey: promptQueries.catalog(workspaceId).queryKey });
    return data;
  };
}
