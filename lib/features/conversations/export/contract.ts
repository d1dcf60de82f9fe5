import { defineOperation } from '#lib/http/operation.ts';
import { callFilter } from '../contract.ts';

export const exportCalls = defineOperation({
  id: 'exportCalls',
  method: 'GET',
  path: '/dashboard/calls/export',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Download the calls that match a filter as CSV',
  query: callFilter,
  produces: 'text/csv',
  status: 200,
});

export const conversationExportOperations = [exportCalls] as const;
