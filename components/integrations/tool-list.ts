import { type IntegrationPatch, type ShownTool } from '#lib/features/integrations/contract.ts';
import { httpTool } from '#lib/features/integrations/fields/contract.ts';

type Tool = NonNullable<IntegrationPatch['tools']>[number];

/** A tool as it is shown, as it is saved. */
export function asPatch(tool: ShownTool): Tool {
  return httpTool.parse(tool);
}
