import { CampaignView } from '#components/campaigns/campaign-view.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadCampaign } from '#lib/features/campaigns/loaders.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';

type CampaignPageProps = { params: Promise<{ workspaceId: string; campaignId: string }> };

export async function generateMetadata({ params }: CampaignPageProps) {
  const { workspaceId, campaignId } = await params;
  return { title: (await loadCampaign(workspaceId, campaignId)).name };
}

export default async function CampaignPage({ params }: CampaignPageProps) {
  const { workspaceId, campaignId } = await params;
  const campaign = await loadCampaign(workspaceId, campaignId);
  return (
    <Hydrated
      fill={(client) =>
        client.setQueryData(campaignQueries.detail(workspaceId, campaignId).queryKey, campaign)
      }
    >
      <Page>
        <CampaignView campaignId={campaignId} />
      </Page>
    </Hydrated>
  );
}
