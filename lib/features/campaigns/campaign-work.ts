import { createCampaignDispatch } from './dispatch/service.ts';
import { createCampaignIntake } from './intake/service.ts';
import { createCampaignPeople } from './people/service.ts';
import { createCampaignsService } from './service.ts';

export type CampaignWork = ReturnType<typeof createCampaignWork>;

/** Everything that has to do with campaigns, from the list of people to the placing of their calls. */
export function createCampaignWork(
  deps: Parameters<typeof createCampaignDispatch>[0] &
    Omit<Parameters<typeof createCampaignsService>[0], 'people'>,
) {
  const people = createCampaignPeople(deps);
  const campaigns = createCampaignsService({ ...deps, people });
  return {
    ...campaigns,
    people,
    intake: createCampaignIntake({ ...deps, people, campaigns }),
    dispatch: createCampaignDispatch(deps),
  };
}
