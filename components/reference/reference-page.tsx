import { Logo } from '#components/layout/logo.tsx';
import { InlineCode } from '#components/ui/code-block.tsx';
import { Link } from '#components/ui/link.tsx';
import {
  errorRows,
  type ListedOperation,
  resources,
  type OpenApiDocument,
  operationsByTag,
} from './openapi-document.ts';
import { OperationSection } from './operation-section.tsx';
import { SchemaTable } from './schema-table.tsx';
import { TextWithCode } from './text-with-code.tsx';

/** The API reference, made from the same document that `/api/openapi.json` serves. */
export function ReferencePage({ document }: { document: OpenApiDocument }) {
  const groups = operationsByTag(document);
  return (
    <div className="mx-auto max-w-[96rem] lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
      <a href="#reference" className="sr-only focus:not-sr-only focus:p-3">
        Skip to the reference
      </a>
      <nav
        aria-label="Operations"
        className="border-line px-4 py-6 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r"
      >
        <Link href="/" className="inline-flex rounded-md">
          <Logo />
        </Link>
        <div className="mt-6 max-lg:hidden">
          <OperationList groups={groups} />
        </div>
        <details className="mt-4 lg:hidden">
          <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium text-accent-text">
            All operations
          </summary>
          <div className="mt-3">
            <OperationList groups={groups} />
          </div>
        </details>
      </nav>
      <main id="reference" className="min-w-0 px-4 py-8 sm:px-8">
        <header className="max-w-prose space-y-3 pb-8">
          <h1 className="text-2xl font-semibold tracking-tight text-ink">{document.info.title} API</h1>
          <p className="text-ink-muted">
            Every answer puts its result in <InlineCode>data</InlineCode>. Every failure has an{' '}
            <InlineCode>error</InlineCode> with <InlineCode>message</InlineCode>,{' '}
            <InlineCode>statusCode</InlineCode> and <InlineCode>code</InlineCode>. Send the workspace’s key in
            the header <InlineCode>x-api-key</InlineCode>; keys are made in the dashboard under Settings.
          </p>
          <p className="text-sm text-ink-muted">
            Version {document.info.version} ·{' '}
            {/* oxlint-disable-next-line next/no-html-link-for-pages -- a document of the API, not a page */}
            <a
              href="/api/openapi.json"
              className="font-medium text-accent-text underline-offset-4 hover:underline"
            >
              OpenAPI 3.1 document
            </a>
          </p>
        </header>
        {groups.map(([tag, operations]) => (
          <div key={tag}>
            <h2 className="pt-6 pb-2 text-xl font-semibold tracking-tight text-ink">{tag}</h2>
            {operations.map((listed) => (
              <OperationSection key={listed.operation.operationId} listed={listed} document={document} />
            ))}
          </div>
        ))}
        <Resources document={document} />
        <Errors document={document} />
      </main>
    </div>
  );
}

/** Every resource once; the operations lead here. */
function Resources({ document }: { document: OpenApiDocument }) {
  return (
    <div id="resources" className="scroll-mt-6">
      <h2 className="pt-6 pb-2 text-xl font-semibold tracking-tight text-ink">Resources</h2>
      {resources(document).map(([name, schema]) => (
        <section key={name} id={`schema-${name}`} aria-label={name} className="scroll-mt-6 py-4">
          <h3 className="pb-2 font-mono text-sm font-semibold text-ink">{name}</h3>
          <SchemaTable schema={schema} />
        </section>
      ))}
    </div>
  );
}

/** Every code a failure can carry. */
function Errors({ document }: { document: OpenApiDocument }) {
  return (
    <section id="errors" aria-labelledby="errors-title" className="scroll-mt-6">
      <h2 id="errors-title" className="pt-6 pb-2 text-xl font-semibold tracking-tight text-ink">
        Errors
      </h2>
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
        {errorRows(document).map(({ code, status, meaning }) => (
          <div key={code} id={`error-${code}`} className="scroll-mt-6 px-3.5 py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-xs font-semibold break-all text-ink">{code}</code>
              <span className="font-mono text-xs text-ink-muted">{status}</span>
            </dt>
            <dd className="mt-1 text-sm text-ink-muted">
              <TextWithCode text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const OTHER_SECTIONS = [
  { id: 'resources', title: 'Resources' },
  { id: 'errors', title: 'Errors' },
];

function OperationList({ groups }: { groups: [string, ListedOperation[]][] }) {
  return (
    <div className="space-y-5">
      {groups.map(([tag, operations]) => (
        <div key={tag}>
          <p className="px-2 text-xs font-medium text-ink-subtle">{tag}</p>
          <ul className="mt-1">
            {operations.map(({ method, operation }) => (
              <li key={operation.operationId}>
                <a
                  href={`#${operation.operationId}`}
                  className="flex items-baseline justify-between gap-2 rounded-md px-2 py-1 text-sm text-ink-muted hover:bg-hover hover:text-ink"
                >
                  <span className="min-w-0">{operation.summary}</span>
                  <span className="shrink-0 font-mono text-2xs text-ink-subtle">{method}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <ul>
        {OTHER_SECTIONS.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-md px-2 py-1 text-sm text-ink-muted hover:bg-hover hover:text-ink"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
