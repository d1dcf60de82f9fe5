import {
  createCampaignDraft,
  inspectCampaignFile,
  type InspectedFile,
  uploadCampaignPeople,
} from '#lib/features/campaigns/dashboard/contract.ts';
import { type CampaignDetail, deleteCampaign } from '#lib/features/campaigns/contract.ts';
import { callOperation, operationUrl, toApiError } from '#lib/http/client.ts';
import type { OperationRequest } from '#lib/http/operation.ts';

type Draft = OperationRequest<typeof createCampaignDraft>['body'];

/** What the columns of a file are. */
export async function inspectFile(
  workspaceId: string,
  file: File,
  query: { from: string; header?: 'yes' | 'no' | undefined },
): Promise<InspectedFile> {
  const answer = await sendFile(workspaceId, operationUrl(inspectCampaignFile, { query }), file);
  return inspectCampaignFile.response.parse(answer).data;
}

/** Checks the list of a campaign, in place of an earlier one. */
export async function uploadList(
  workspaceId: string,
  campaignId: string,
  file: File,
): Promise<CampaignDetail> {
  const url = operationUrl(uploadCampaignPeople, { params: { campaignId } });
  return uploadCampaignPeople.response.parse(await sendFile(workspaceId, url, file)).data;
}

/** The lists that are being checked: pressing the button twice at once makes one campaign. */
const checking = new WeakMap<File, Promise<CampaignDetail>>();

/** Makes a campaign and checks its list. Where the list cannot be read there is no campaign either. */
export function makeCampaign(workspaceId: string, draft: Draft, file: File): Promise<CampaignDetail> {
  const running = checking.get(file) ?? makeOne(workspaceId, draft, file);
  checking.set(file, running);
  return running.finally(() => checking.delete(file));
}

async function makeOne(workspaceId: string, draft: Draft, file: File): Promise<CampaignDetail> {
  const { data } = await callOperation(createCampaignDraft, { body: draft }, { workspaceId });
  try {
    return await uploadList(workspaceId, data.id, file);
  } catch (error) {
    const params = { campaignId: data.id };
    await callOperation(deleteCampaign, { params }, { workspaceId }).catch(() => undefined);
    throw error;
  }
}

async function sendFile(workspaceId: string, url: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.set('file', file);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-workspace-id': workspaceId },
    body: form,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toApiError(response.status, answer);
  return answer;
}
