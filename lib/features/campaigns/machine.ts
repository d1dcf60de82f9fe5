import type { CampaignState } from './rules.ts';

/**
 * What moves a campaign. `check`: its list is being read; `break_off`: that came to no end. `pause` is a person's or, where
 * no further call can be placed, the service's. `complete`: nobody is left to call, and every call is over.
 */
export type CampaignTrigger =
  | 'check'
  | 'checked'
  | 'break_off'
  | 'start'
  | 'pause'
  | 'resume'
  | 'complete'
  | 'cancel';

/** The persisted states of a campaign, as data. A state that is not listed for a trigger rejects it. */
export const CAMPAIGN_MACHINE: Record<CampaignState, Partial<Record<CampaignTrigger, CampaignState>>> = {
  draft: { check: 'checking', cancel: 'cancelled' },
  checking: { checked: 'ready', break_off: 'draft' },
  ready: { check: 'checking', start: 'running', cancel: 'cancelled' },
  running: { pause: 'paused', complete: 'finished', cancel: 'cancelled' },
  paused: { resume: 'running', cancel: 'cancelled' },
  finished: {},
  cancelled: {},
};

/** The state after a trigger; undefined where it is refused. */
export function nextState(state: CampaignState, trigger: CampaignTrigger): CampaignState | undefined {
  return CAMPAIGN_MACHINE[state][trigger];
}

/** The states in which a trigger is taken. */
export function statesThatTake(trigger: CampaignTrigger): CampaignState[] {
  return CAMPAIGN_STATE_LIST.filter((state) => CAMPAIGN_MACHINE[state][trigger] !== undefined);
}

const CAMPAIGN_STATE_LIST = Object.keys(CAMPAIGN_MACHINE) as CampaignState[];
