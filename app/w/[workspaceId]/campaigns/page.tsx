import { CampaignList } from '#components/campaigns/campaign-list.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadCampaigns } from '#lib/features/campaigns/loaders.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';

export const metadata = { title: 'Campaigns' };

export default async function CampaignsPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const first = await loadCampaigns(workspaceId);
  return (
    <Hydrated
      fill={(client) =>
        client.setQueryData(campaignQueries.list(workspaceId).queryKey, { pages: [first], pageParams: [''] })
      }
    >
      <Page>
        <CampaignList />
      </Page>
    </Hydrated>
  );
}
