'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { integrationsPath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { createIntegration } from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';

type Values = z.input<typeof createIntegration.body>;

const NEW: Values = { name: '', kind: 'http', address: '' };

const ADDRESSES = {
  http: {
    placeholder: 'https://api.example.com/v1',
    description: 'Where every request begins: https, reachable from the public internet.',
  },
  calendar: {
    placeholder: 'https://cloud.example.com/remote.php/dav',
    description: 'Of a server that speaks CalDAV. Empty: appointments are kept here, by your opening hours.',
  },
  mcp: {
    placeholder: 'https://mcp.example.com/mcp',
    description: 'Where the server answers over streamable HTTP: https, reachable from the public internet.',
  },
} satisfies Record<Values['kind'], object>;

const KINDS = [
  {
    value: 'http',
    label: 'HTTP requests',
    detail: 'Requests that you describe, or take from an OpenAPI document',
  },
  {
    value: 'calendar',
    label: 'Calendar',
    detail: 'Real free times for appointments: CalDAV, or opening hours alone',
  },
  { value: 'mcp', label: 'MCP server', detail: 'Its own tools, over streamable HTTP' },
];

export function CreateIntegrationDialog() {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <OperationDialog
      title="New integration"
      description="One server. Its tools and its key come next."
      trigger={<NewButton>New integration</NewButton>}
      saveLabel="Create integration"
      schema={createIntegration.body}
      values={NEW}
      save={(body) => callOperation(createIntegration, { body }, { workspaceId })}
      onSaved={({ data }) => {
        queryClient.setQueryData(integrationQueries.detail(workspaceId, data.id).queryKey, data);
        void queryClient.invalidateQueries({ queryKey: integrationQueries.list(workspaceId).queryKey });
        router.push(integrationsPath(workspaceId, data.id));
      }}
    >
      {(form) => (
        <>
          <SelectField form={form} name="kind" label="Kind" options={KINDS} />
          <TextField form={form} name="name" label="Name" isRequired placeholder="Orders" />
          <AddressField form={form} />
        </>
      )}
    </OperationDialog>
  );
}

/** What is asked for depends on the kind. */
function AddressField({ form }: { form: UseFormReturn<Values, unknown, Values> }) {
  const kind = useWatch({ control: form.control as Control<Values>, name: 'kind' });
  return (
    <TextField
      form={form}
      name="address"
      label="Address"
      type="url"
      isRequired={kind !== 'calendar'}
      {...ADDRESSES[kind]}
    />
  );
}
