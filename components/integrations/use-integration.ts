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
import { callOperation } from '#lib/http/client.ts';

/** Saves parts of an integration, and shows elsewhere what has changed. */
export function useSaveIntegration(integrationId: string) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return async (body: IntegrationPatch): Promise<IntegrationDetail> => {
    const params = { integrationId };
    const { data } = await callOperation(updateIntegration, { params, body }, { workspaceId });
    queryClient.setQueryData(integrationQueries.detail(workspaceId, integrationId).queryKey, data);
    void queryClient.invalidateQueries({ queryKey: integrationQueries.list(workspaceId).queryKey });
    void queryClient.invalidateQueries({ queryKey: promptQueries.catalog(workspaceId).queryKey });
    return data;
  };
}
