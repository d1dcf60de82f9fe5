import type { Metadata } from 'next';
import type { OpenApiDocument } from '#components/reference/openapi-document.ts';
import { ReferencePage } from '#components/reference/reference-page.tsx';
import { runtime } from '#lib/current-runtime.ts';

export const metadata: Metadata = { title: 'API reference' };
export const dynamic = 'force-dynamic';

export default function DocsPage() {
  return <ReferencePage document={runtime().status.openApi() as OpenApiDocument} />;
}
