import { z } from 'zod';
import { WORLDWIDE_NUMBER_PATTERN } from '#lib/phone-number.ts';
import type { Tool } from './tool.ts';

export const OPT_OUT_TOOL = 'add_to_do_not_call_list';

/** What is stored of its use puts the number on the list (`calls/execution/live-call.ts`), whoever dies after it. */
export const optOut: Tool<{ said?: string | undefined }> = {
  name: OPT_OUT_TOOL,
  description:
    "Puts the person's number on the do-not-call list. Use it when the person asks not to be called again, to be taken off the list or to stop the calls, then confirm it and end the call. Not for somebody who is only not interested today or wants to be called at another time.",
  parameters: z.object({
    said: z.string().max(300).optional().describe("The person's own words."),
  }),
  // A browser and a withheld number can be called by nobody.
  isOffered: (plan) => WORLDWIDE_NUMBER_PATTERN.test(plan.humanPhoneNumber),
  async run({ plan }) {
    return { ok: true, number: plan.humanPhoneNumber, note: 'The number is not called again.' };
  },
};
